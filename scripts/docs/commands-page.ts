/** docs/reference/commands.md: every command with its options, from the help that it prints, and the scripts of `package.json`. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SIMPLESIM_USAGE } from '../../src/launch/simplesim-commands.ts';
import { ROOT_DIR } from '../declarations.ts';
import { code, markdownTable, requireDescriptions } from './markdown.ts';

const run = promisify(execFile);

/** The scripts of `package.json` that are not commands of `simplesim`: for users of the clone, and for contributors. */
const OTHER_SCRIPTS: Readonly<Record<'users' | 'contributors', Readonly<Record<string, string>>>> = {
  users: {
    simplesim: 'runs each of the commands above by its name: `npm run simplesim -- COMMAND`',
    demo: 'builds the page as a folder of files for any web host, without a service; `-- FOLDER` names the folder',
    package: 'makes the packages for npm and PyPI in `.cache/packages`; `-- NAME` makes one npm package',
    compile: 'compiles the commands and the package `simplesim`',
    build: 'builds the page, compresses it and compiles the commands',
  },
  contributors: {
    dev: 'starts the platform with hot reload of the page',
    check: 'runs all checks that need no test: types, lint, imports, words, documents, build, weight and licences',
    types: 'checks the types',
    lint: 'checks style and format',
    fix: 'corrects style and format',
    imports: 'checks which part of the code imports which',
    words: 'checks the language of documents, comments and messages',
    weight: 'checks the size of the built page',
    notices: 'checks that the licence of each package in the page is listed',
    test: 'installs what the tests need, and runs the checks and every test',
    'test:quick': 'runs the tests that need neither a server nor a browser, without the longest',
    'test:unit': 'runs all tests of Vitest',
    'test:e2e': 'runs the tests in browsers',
    'test:durations': 'stores how long each test file of the last `npm test` took',
    gallery: 'serves the page with an engine that stands still, which the tests of the page use',
    lab: 'runs an experiment; [lab](lab.md) lists them',
    golden: 'writes the state hashes of the recorded runs, and raises `SIM_PROTOCOL` if they differ',
    docs: 'makes the generated pages and checks the examples; `-- --check` writes nothing',
    python: 'checks and tests the Python library',
    release: 'makes the tag of a release; `-- --dry-run` rehearses it',
    workflows: 'checks the workflows of GitHub',
  },
};

interface SimplesimCommand {
  name: string;
  summary: string;
  /** The script of `package.json` that runs it, as a person types it; null if there is none. */
  script: string | null;
  /** The text of `--help`. */
  help: string;
}

/** Returns the text that a command prints for `--help`; the help of `simplesim` itself for an empty name. */
async function helpOf(name: string): Promise<string> {
  const program = join(ROOT_DIR, 'src/launch/simplesim.ts');
  const args = ['--import', '@oxc-node/core/register', program, ...(name === '' ? [] : [name]), '--help'];
  const { stdout } = await run(process.execPath, args, { cwd: ROOT_DIR });
  return stdout.trim();
}

/** Returns the scripts of `package.json` with their command lines. */
function scriptsOfPackage(): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT_DIR, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  return scripts;
}

/** Returns the name of the command that a script runs, if it runs one without options of its own. */
const commandOf = (line: string): string | null => /scripts\/simplesim\.mjs (\w+)$/.exec(line)?.[1] ?? null;

async function readCommands(scripts: Readonly<Record<string, string>>): Promise<SimplesimCommand[]> {
  const listed = [...SIMPLESIM_USAGE.matchAll(/^ {2}(\w+) +(.+)$/gm)].map(([, name = '', summary = '']) => ({ name, summary }));
  return Promise.all(
    listed.map(async ({ name, summary }) => {
      const [script] = Object.entries(scripts).find(([, line]) => commandOf(line) === name) ?? [null];
      const typed = script === null ? null : script === 'start' ? 'npm start' : `npm run ${script}`;
      return { name, summary, script: typed, help: await helpOf(name) };
    }),
  );
}

/** @throws Error for a script that this file does not describe, and for a description without a script */
function requireAllDescribed(scripts: Readonly<Record<string, string>>): void {
  const described = Object.values(OTHER_SCRIPTS).flatMap((group) => Object.keys(group));
  const others = Object.keys(scripts).filter((name) => commandOf(scripts[name] ?? '') === null);
  requireDescriptions('OTHER_SCRIPTS of scripts/docs/commands-page.ts', described, others);
}

const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;

const scriptTable = (group: Readonly<Record<string, string>>): string =>
  markdownTable(
    ['script', 'purpose'],
    Object.entries(group).map(([name, does]) => [code(name === 'test' ? 'npm test' : `npm run ${name}`), does]),
  );

/** Returns the text of the page. */
export async function commandsPage(): Promise<string> {
  const scripts = scriptsOfPackage();
  requireAllDescribed(scripts);
  const commands = await readCommands(scripts);
  return `${[
    '# Commands',
    'Made by `npm run docs` from the `--help` texts of the commands and from `package.json`; do not edit by hand.',
    'This page lists every command with its options, and every script of `package.json`. [Headless](../headless.md) has the exit codes of all commands, and [settings](settings.md) has the environment variables.',
    'In a clone, run a command with `npm run simplesim -- COMMAND`, or with its own script if it has one. In a project that has installed the package `simplesim`, the program is `node_modules/.bin/simplesim COMMAND`. Options follow `--` in the scripts of npm.',
    markdownTable(
      ['command', 'script', 'purpose'],
      commands.map(({ name, script, summary }) => [`[${code(name)}](#${name})`, script === null ? '–' : code(script), summary]),
    ),
    ...commands.flatMap(({ name, help }) => [`## ${name}`, fence(help)]),
    '## simplesim',
    fence(await helpOf('')),
    '## Other scripts',
    'These scripts exist in a clone only. For users:',
    scriptTable(OTHER_SCRIPTS.users),
    'For [contributors](../../CONTRIBUTING.md):',
    scriptTable(OTHER_SCRIPTS.contributors),
  ].join('\n\n')}\n`;
}
