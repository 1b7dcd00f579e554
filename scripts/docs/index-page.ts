import { posix } from 'node:path';
import { markdownTable } from './markdown.ts';
import { MANUAL_PARTS, REFERENCE } from './pages.ts';

/** docs/README.md, the index of the manual, from the list of its pages. */
export function indexPage(): string {
  const parts = MANUAL_PARTS.map(({ title, pages }) => {
    const rows = pages.map(({ file, name, question, readers }) => [
      `[${name}](${posix.relative('docs', file)})`,
      question,
      readers,
    ]);
    return `## ${title}\n\n${markdownTable(['page', 'question', 'readers'], rows)}`;
  });
  const reference = Object.entries(REFERENCE).map(([name, content]) => [`[${name}](reference/${name})`, content]);
  return `# Manual

Made by \`npm run docs\` from \`scripts/docs/pages.ts\`; do not edit by hand.

If you are new, read the [README](../README.md) and then the [tutorial](tutorial.md). A running platform shows these pages at \`/manual/\`.

${parts.join('\n\n')}

## Reference

\`npm run docs\` makes these pages from the code. [CHANGELOG.md](../CHANGELOG.md) lists what each version brings.

${markdownTable(['page', 'content'], reference)}
`;
}
