/**
 * Checks the workflows and actions of GitHub with actionlint (`npm run workflows`): syntax, expressions, inputs, runners. The
 * first run builds actionlint with Go into `.cache/actionlint`, in half a minute. If Go is missing, it prints a line, and fails
 * only in CI.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { parse, stringify } from 'yaml';

/** A cache in CI uses this file as its key. */
const VERSION = 'v1.7.12';
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, '.cache/actionlint', VERSION);
const ACTIONLINT = join(FOLDER, process.platform === 'win32' ? 'actionlint.exe' : 'actionlint');

interface Action {
  inputs: Record<string, object>;
  runs: { steps: unknown[] };
}

/**
 * Returns a workflow with the steps of a composite action, and a job that uses the action. Actionlint knows the metadata of an
 * action, but checks steps only in a workflow.
 * @param folder the folder of the action, from that of the project
 */
export function asWorkflow(action: string, folder: string): string {
  const { inputs, runs } = parse(action) as Action;
  const forEachInput = <Value>(value: Value) => Object.fromEntries(Object.keys(inputs).map((name) => [name, value]));
  const jobs = { steps: runs.steps, use: [{ uses: `./${folder}`, with: forEachInput('given') }] };
  return stringify({
    on: { workflow_call: { inputs: forEachInput({ type: 'string' }) } },
    jobs: Object.fromEntries(Object.entries(jobs).map(([name, steps]) => [name, { 'runs-on': 'ubuntu-24.04', steps }])),
  });
}

/** Builds actionlint unless it exists. @returns whether it exists afterwards */
function ensureActionlint(): boolean {
  if (existsSync(ACTIONLINT)) return true;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    console.error('The workflows are not checked: actionlint is built with Go, which is not on the PATH.');
    return false;
  }
  console.log(`Building actionlint ${VERSION}`);
  const args = ['install', `github.com/rhysd/actionlint/cmd/actionlint@${VERSION}`];
  return spawnSync('go', args, { stdio: 'inherit', env: { ...process.env, GOBIN: FOLDER } }).status === 0;
}

function check(title: string, args: string[], input?: string): void {
  if (spawnSync(ACTIONLINT, args, { cwd: ROOT, input, stdio: ['pipe', 'inherit', 'inherit'] }).status === 0) return;
  console.error(`actionlint finds problems in ${title}.`);
  process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) {
  if (ensureActionlint()) {
    check('.github/workflows', []);
    for (const file of globSync(['action.yml', '.github/actions/*/action.yml'], { cwd: ROOT, dot: true }))
      check(
        file,
        ['-stdin-filename', `${file}, as a workflow`, '-'],
        asWorkflow(readFileSync(join(ROOT, file), 'utf8'), dirname(file)),
      );
  } else if (process.env.CI) process.exitCode = 1;
}
