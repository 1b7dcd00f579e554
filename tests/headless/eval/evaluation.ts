/** `npm run simplesim -- eval` as a process of a test, in a folder that is removed with the test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach } from 'vitest';
import { ROOT_DIR } from '../../../scripts/compiled.mjs';
import type { RunRecord } from '../../../src/headless/eval/run-record.ts';

export const TAKE_ONE = join(import.meta.dirname, 'tasks/take-one.json');
/** The folder of the present test. */
export let dir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'simplesim-eval-test-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

export interface Evaluation {
  child: ChildProcess;
  ended: Promise<{ code: number | null; said: string }>;
  records(): RunRecord[];
  out: string;
}

/** Starts an evaluation whose temporary files are in the folder of the test. */
export function startEval(name: string, args: string[], env: Record<string, string> = {}): Evaluation {
  const out = join(dir, name);
  const child = spawn(process.execPath, ['scripts/simplesim.mjs', 'eval', ...args, '--out', out], {
    cwd: ROOT_DIR,
    env: { ...process.env, TMPDIR: dir, WORD: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')));
  const file = join(out, 'results.jsonl');
  return {
    child,
    out,
    ended: Promise.all([code, said]).then(([ended, parts]) => ({ code: ended, said: parts.join('') })),
    records: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [],
  };
}
