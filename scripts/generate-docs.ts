/**
 * Writes what is made from the code: the reference of the manual, its index and `llms.txt`, the JSON Schemas, and the methods of both
 * client libraries that are named after skills. Checks the budgets of the manual, the snippets of all documents, and that each public name
 * of the client library has a description. With `--check` it writes nothing, and fails if a file differs from its sources.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { undocumentedNames } from './client/api-docs.ts';
import { apiReport } from './client/api-report.ts';
import { shortcutFiles } from './client/shortcuts.ts';
import { snippetProblems } from './client/snippets.ts';
import { agentToolsPage } from './docs/agent-tools-page.ts';
import { commandsPage } from './docs/commands-page.ts';
import { contractsPage } from './docs/contracts-page.ts';
import { controlServicePages } from './docs/control-service-pages.ts';
import { dependenciesPage } from './docs/dependencies-page.ts';
import { embedPage } from './docs/embed-page.ts';
import { errorsPage } from './docs/errors-page.ts';
import { filePages } from './docs/file-pages.ts';
import { httpPage } from './docs/http-page.ts';
import { indexPage } from './docs/index-page.ts';
import { labPage } from './docs/lab-page.ts';
import { librariesPage } from './docs/libraries-page.ts';
import { methodsPage } from './docs/methods-page.ts';
import { operationsPage } from './docs/operations-page.ts';
import { budgetProblems, REFERENCE_DIR } from './docs/pages.ts';
import { resultPages } from './docs/result-pages.ts';
import { scenePages } from './docs/scene-pages.ts';
import { settingsPage } from './docs/settings-page.ts';
import { recordExamples, recordRcwExamples } from './docs/skill-examples.ts';
import { rcwSkillsPage, skillsPage } from './docs/skills-page.ts';
import { structurePages } from './docs/structure-page.ts';
import { taskPages } from './docs/task-pages.ts';
import { llmsText } from './vite/manual/llms.ts';

const rootDir = join(import.meta.dirname, '..');
const NOTE = 'Made by `npm run docs` from `src/protocol` and real calls; do not edit by hand.';

const isCheck = process.argv.includes('--check');
const stale: string[] = [];

const textOf = (file: string): string => readFileSync(join(rootDir, file), 'utf8');

/** Writes files by their path from the root, or notes those that differ. */
function settle(files: Readonly<Record<string, string | undefined>>): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) throw new Error(`${path} has no text.`);
    const file = join(rootDir, path);
    if (isCheck) {
      if (!existsSync(file) || textOf(path) !== text) stale.push(path);
    } else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

/** Gives each file the path of its folder. */
const within = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

// First: the declarations of the client library, which pages are made of, have these methods.
settle(shortcutFiles());

const openapi = controlServicePages();
settle({
  ...within(REFERENCE_DIR, {
    'skills.md': skillsPage(NOTE, await recordExamples()),
    'skills-physical.md': rcwSkillsPage(NOTE, await recordRcwExamples()),
    'agent-tools.md': await agentToolsPage(),
    'errors.md': errorsPage(),
    'methods.md': methodsPage(),
    'http.md': httpPage(),
    ...openapi,
    'libraries.md': librariesPage(),
    'typescript-api.txt': apiReport(),
    'embed.md': embedPage(),
    ...filePages(),
    'contracts.md': contractsPage(),
    'commands.md': await commandsPage(),
    'settings.md': settingsPage(),
    'operations.md': await operationsPage(),
    ...resultPages(),
    'lab.md': await labPage(),
    'dependencies.md': dependenciesPage(),
  }),
  ...within('docs', structurePages(join(rootDir, 'src'))),
  ...taskPages(),
  ...scenePages(rootDir),
  'docs/README.md': indexPage(),
  'clients/python/src/platform_robot_sdk/openapi.json': openapi['openapi.library.json'],
});
// Last: it has the titles of the pages.
settle({ 'llms.txt': llmsText((path) => path) });

if (stale.length > 0) {
  console.error(`${stale.join(', ')} differ from the code that they are made from. Run: npm run docs`);
  process.exitCode = 1;
}
for (const problem of [...budgetProblems(textOf), ...undocumentedNames(), ...snippetProblems()]) {
  console.error(problem);
  process.exitCode = 1;
}
