import { MANUAL_PARTS, REFERENCE, REFERENCE_DIR } from '../../docs/pages.ts';
import { CHANGELOG, textOf, titleOf } from './documents.ts';

const LINK = /\[([^\]]+)\]\([^)\s]+\)/g;
const withoutLinks = (text: string): string => text.replace(LINK, '$1');

/**
 * Returns `llms.txt` (https://llmstxt.org): the name and summary of the product, then every page with the question that it answers.
 * @param addressOf returns the address of a file, by its path in the repository
 */
export function llmsText(addressOf: (path: string) => string): string {
  const [, name = '', summary = ''] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(textOf('README.md')) ?? [];
  const item = (path: string, note: string): string => {
    const title = path.endsWith('.md') ? titleOf(path) : path.replace(/^.*\//, '');
    return `- [${title.replaceAll(/[[\]]/g, '')}](${addressOf(path)}): ${note}`;
  };
  const parts = MANUAL_PARTS.map(
    ({ title, pages }) => `## ${title}\n\n${pages.map(({ file, question }) => item(file, question)).join('\n')}`,
  );
  const reference = Object.entries(REFERENCE).map(([file, content]) => item(`${REFERENCE_DIR}/${file}`, content));
  return `# ${name}

> ${withoutLinks(summary.replaceAll('\n', ' '))}

${parts.join('\n\n')}

## Reference

${[...reference, item(CHANGELOG, 'what each version brings')].join('\n')}
`;
}
