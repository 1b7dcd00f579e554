/**
 * Writes docs/skills.md and docs/errors.md from the schemas, the error table and a runtime that tells a story, so that the manual cannot
 * differ from the robot, and docs/client-api.txt from the declarations of the client library; the descriptions and the
 * table of errors of the control service from its routes, whose description the Python library carries as a snapshot. Type-checks the
 * snippets of all documents, and fails when a public name of the client library says nothing of itself.
 * Makes the methods of both client libraries that are named after skills.
 * `--check` writes nothing, and fails when a file is not what it is made from.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, ERROR_STAGES } from '../src/protocol/error-codes.ts';
import { undocumentedNames } from './client/api-docs.ts';
import { apiReport } from './client/api-report.ts';
import { shortcutFiles } from './client/shortcuts.ts';
import { snippetProblems } from './client/snippets.ts';
import { controlServicePages } from './docs/control-service-pages.ts';
import { DOCS_DIR, resultPages } from './docs/result-pages.ts';
import { scenePages } from './docs/scene-pages.ts';
import { tellExamples, tellRcwExamples } from './docs/skill-examples.ts';
import { rcwSkillsPage, skillsPage } from './docs/skills-page.ts';
import { structurePages } from './docs/structure-page.ts';
import { taskPages } from './docs/task-pages.ts';
import { llmsText } from './vite/manual.ts';

const rootDir = join(import.meta.dirname, '..');
const NOTE = 'Made by `npm run docs` from `src/protocol` and real calls; do not edit by hand.';

function errorsPage(): string {
  const chapters = ERROR_STAGES.map((stage) => {
    const rows = Object.entries(ERROR_CODES)
      .filter(([, info]) => info.stage === stage)
      .map(([code, info]) => `| \`${code}\` | ${info.summary} | ${info.remedy} | ${info.retryable ? 'yes' : 'no'} |`);
    return `## ${stage}\n\n| code | what it means | what to do | can the same call succeed later? |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  const intro = [
    'A failure is `{"status": "failed", "error": {code, message, details}}`. The message says what was asked, what is wrong and what to do. Three messages begin with fixed words,',
    'because programs look for them: `too far from`, `not near a pallet` and `carry capacity reached`.',
    '`details` always has `stage`, `attempted` (did the robot start on it?), `world_changed` (`no`, `yes`, `unknown`) and `retryable`. Many codes add measured facts.',
    '[skills.md](skills.md) says which skill answers with which code.',
  ].join('\n');
  return `# Errors of the runtime\n\n${NOTE}\n\n${intro}\n\n${chapters.join('\n')}`;
}

const isCheck = process.argv.includes('--check');
const stale: string[] = [];

function settle(files: Readonly<Record<string, string | undefined>>): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) throw new Error(`There is nothing to write into ${path}.`);
    const file = join(rootDir, path);
    if (!isCheck) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) stale.push(path);
  }
}

// First: the declarations of the client library, which a page is made of, have these methods.
settle(shortcutFiles());

const pages: Record<string, string> = {
  'skills.md': skillsPage(NOTE, await tellExamples()),
  'worker-skills.md': rcwSkillsPage(NOTE, await tellRcwExamples()),
  'errors.md': errorsPage(),
  'client-api.txt': apiReport(),
  ...resultPages(),
  ...structurePages(join(rootDir, 'src')),
  ...controlServicePages((name) => readFileSync(join(DOCS_DIR, name), 'utf8')),
};
settle({
  ...Object.fromEntries(Object.entries(pages).map(([name, text]) => [`docs/${name}`, text])),
  ...taskPages(),
  ...scenePages(rootDir),
  'llms.txt': llmsText((path) => path),
  'clients/python/src/platform_robot_sdk/openapi.json': pages['openapi.library.json'],
});
if (stale.length > 0) {
  console.error(`${stale.join(', ')} differ from the schemas, the declarations or what the robot answers. Run: npm run docs`);
  process.exitCode = 1;
}
for (const problem of [...undocumentedNames(), ...snippetProblems()]) {
  console.error(problem);
  process.exitCode = 1;
}
