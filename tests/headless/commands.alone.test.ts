/** `npm run simplesim` as people call it: help, errors, exit codes. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStale, ROOT_DIR } from '../../scripts/compiled.mjs';

const dir = mkdtempSync(join(tmpdir(), 'simplesim-commands-'));
const TAKE_ONE = join(import.meta.dirname, 'eval/tasks/take-one.json');

function simplesim(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(ROOT_DIR, 'scripts/simplesim.mjs'), ...args], { cwd: dir }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
    });
  });
}

beforeAll(async () => {
  if (isStale()) await new Promise((resolve) => execFile(process.execPath, [join(ROOT_DIR, 'scripts/compile.mjs')], resolve));
}, 180_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('the help names every command, each command has help of its own, and --version prints the version', async () => {
  const { code, out } = await simplesim('--help');
  expect(code).toBe(0);
  const names = [...out.matchAll(/^ {2}(\w+) {2,}\S/gm)].map(([, name]) => name ?? '');
  expect(names).toEqual(['start', 'link', 'class', 'headless', 'verify', 'eval', 'mcp', 'worker', 'service']);
  expect((await simplesim()).out).toBe(out);
  for (const name of names.filter((one) => one !== 'service')) {
    const help = await simplesim(name, '--help');
    expect([name, help.code, help.err]).toEqual([name, 0, '']);
    expect(help.out).toMatch(new RegExp(`(?:simplesim --|npm run|npm) ${name}`));
  }
  const { version } = JSON.parse(readFileSync(join(ROOT_DIR, 'package.json'), 'utf8')) as { version: string };
  expect(await simplesim('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  const unknown = await simplesim('frobnicate');
  expect([unknown.code, unknown.out]).toEqual([2, '']);
  expect(unknown.err).toContain('There is no command "frobnicate". There are: start,');
});

describe('a proof of an evaluation', () => {
  let proof = '';
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return name;
  };
  beforeAll(async () => {
    const made = await simplesim(
      'eval',
      TAKE_ONE,
      '--agent',
      'planner',
      '--seeds',
      '6',
      '--out',
      'results',
      '--min-success',
      '1',
    );
    expect(made.code, made.err).toBe(0);
    proof = readFileSync(join(dir, 'results/proofs/take-one-6.json'), 'utf8');
  });

  it('a proof of an evaluation is true', async () => {
    const { code, out } = await simplesim('verify', 'results/proofs/take-one-6.json');
    expect([code, out]).toEqual([0, expect.stringMatching(/: true\. The task take-one passed with the seed 6; \d+ steps/)]);
  });

  it('a proof is damaged with a byte changed, false with another course, and unreadable if the file is missing', async () => {
    const damaged = file('damaged.json', proof.replace('"seed":6', '"seed":7'));
    const { code, out } = await simplesim('verify', damaged, '--json');
    expect([code, JSON.parse(out)]).toEqual([1, expect.objectContaining({ file: damaged, is: 'damaged', path: 'sha256' })]);
    expect((await simplesim('verify', 'nowhere.json')).code).toBe(3);
    expect((await simplesim('verify', file('empty.json', ''))).code).toBe(1);
    expect((await simplesim('verify', file('huge.json', 'x'.repeat(5_000_000)))).out).toMatch(/DAMAGED: .*bytes/);
    expect((await simplesim('verify')).code).toBe(2);
    // The worst result of several decides the exit code.
    expect((await simplesim('verify', 'results/proofs/take-one-6.json', damaged)).code).toBe(1);
  });

  it('a proof is checked for the requested task, because a proof of an easier task is also true', async () => {
    const first = 'results/proofs/take-one-6.json';
    expect(await simplesim('verify', first, '--tasks', TAKE_ONE)).toMatchObject({
      code: 0,
      out: expect.stringContaining('true.'),
    });
    const task = JSON.parse(readFileSync(TAKE_ONE, 'utf8'));
    mkdirSync(join(dir, 'tasks/inner'), { recursive: true });
    file('tasks/inner/task.json', JSON.stringify({ ...task, goal: { kind: 'not', of: task.goal }, title: 'Another' }));
    const other = await simplesim('verify', first, '--json', '--tasks', 'tasks');
    expect([other.code, JSON.parse(other.out)]).toEqual([
      1,
      expect.objectContaining({
        is: 'other_task',
        what: expect.stringMatching(/has another title, another goal than that of --tasks/),
      }),
    ]);
    const none = await simplesim('verify', first, '--tasks', join(ROOT_DIR, 'tasks'));
    expect([none.code, none.out]).toEqual([
      1,
      expect.stringContaining('NOT OF THIS TASK: the run happened, and its task take-one is not one of those'),
    ]);
    expect((await simplesim('verify', first, '--tasks', 'nowhere')).code).toBe(2);
    expect((await simplesim('verify', first, '--scenes', 'tasks')).code).toBe(2);
  });

  it('an evaluation compares with an earlier summary, and leaves folders in use alone', async () => {
    const again = await simplesim(
      'eval',
      TAKE_ONE,
      '--agent',
      'planner',
      '--seeds',
      '6',
      '--out',
      'again',
      '--compare',
      'results/summary.json',
    );
    expect(again.code, again.err).toBe(0);
    const taken = await simplesim('eval', TAKE_ONE, '--agent', 'planner', '--seeds', '6', '--out', 'results');
    expect([taken.code, taken.err]).toEqual([2, expect.stringContaining('is not empty')]);
    const summary = JSON.parse(readFileSync(join(dir, 'results/summary.json'), 'utf8'));
    const sure = { runs: 90, passed: 90, errors: 0, rate: 1, interval: { low: 0.9999, high: 1 } };
    const better = file(
      'better.json',
      JSON.stringify({ ...summary, all: { ...summary.all, ...sure }, tasks: [{ ...summary.tasks[0], ...sure }] }),
    );
    const worse = await simplesim('eval', TAKE_ONE, '--agent', 'true', '--seeds', '6', '--out', 'worse', '--compare', better);
    expect([worse.code, worse.out]).toEqual([1, expect.stringContaining('Not passed: worse than')]);
  });
});
