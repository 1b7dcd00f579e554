/** Programs of agents that behave badly: each is reported, and leaves nothing behind. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newApiKey } from '../../../src/control-service/secrets.ts';
import type { AgentEnd } from '../../../src/headless/eval/run-record.ts';
import { startAgent } from '../../../src/launch/eval/agent-program.ts';
import { waitUntil } from '../../launch/helpers/processes.ts';

const patience = vi.hoisted(() => ({ isEndless: false }));
vi.mock(import('node:timers/promises'), async (original) => {
  const actual = await original();
  const setTimeout: typeof actual.setTimeout = (...asked) =>
    patience.isEndless ? new Promise(() => undefined) : actual.setTimeout(...asked);
  return { ...actual, setTimeout };
});

const SECRET = 'sk-4f9a~very-secret-value';
let dir: string;
beforeEach(() => {
  patience.isEndless = false;
  dir = mkdtempSync(join(tmpdir(), 'simplesim-agent-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = (): string => join(dir, 'output.txt');
const output = (): string => readFileSync(file(), 'utf8');

/** Runs a command to its end, or ends it as soon as it has printed "ready". */
async function run(command: string, why: AgentEnd | null = null, settings: Record<string, string> = {}) {
  const agent = startAgent(command, { PLATFORM_API_KEY: SECRET, WORK: dir, ...settings }, file());
  if (why === null) await agent.exited;
  else await waitUntil(async () => readdirSync(dir).includes('ready'), 'the agent to be ready');
  return agent.end(why ?? 'exited');
}

/** Processes that have this word in their environment. */
const present = (word: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });

it('a program that exits is reported with its code, and one that crashes with its signal', async () => {
  expect(await run('echo hello; echo there >&2; exit 3')).toMatchObject({ end: 'exited', exit_code: 3, left_behind: 0 });
  expect(output().split('\n').sort()).toEqual(['', 'hello', 'there']);
  expect(await run('kill -SEGV $$')).toMatchObject({ end: 'exited', exit_code: null, signal: 'SIGSEGV' });
});

it('an agent that ends with an error is recorded with the line that names it, or else with its last line', async () => {
  const python = 'Traceback (most recent call last):\n  File "a.py", line 1\nModuleNotFoundError: No module named "numpy"';
  const node = "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n    at a.ts:1\n  code: 'ERR'\n}\n\nNode.js v20.1.0";
  for (const [text, line] of [
    [python, 'ModuleNotFoundError: No module named "numpy"'],
    [node, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'"],
    ['I looked.\nI give up.\n\n', 'I give up.'],
    [`\u001b[31mKeyError: '${SECRET}'\u001b[0m`, "KeyError: '<secret>'"],
    ['x'.repeat(1_000), `${'x'.repeat(199)}…`],
    ['', null],
  ] as const) {
    expect((await run('printf %s "$TEXT"; exit 1', null, { TEXT: text })).error_line, text).toBe(line);
  }
  expect((await run('echo "All good."')).error_line).toBeNull();
});

it('the last output lines of many programs that end at once are kept', async () => {
  const many = Array.from({ length: 24 }, async (_, at) => {
    const to = join(dir, `output-${at}.txt`);
    const agent = startAgent(`seq 8000; echo last >&2; exit 3`, {}, to);
    await agent.exited;
    await agent.end('exited');
    return readFileSync(to, 'utf8').split('\n');
  });
  for (const lines of await Promise.all(many)) expect(lines).toHaveLength(8_002);
});

it('the end is reported with the end of the output, without a delay', async () => {
  const agent = startAgent('exit 3', {}, file());
  await agent.exited;
  patience.isEndless = true;
  expect(await agent.end('exited')).toMatchObject({ end: 'exited', exit_code: 3 });
});

it('a missing program is reported as such', async () => {
  expect(await run('no-such-program-anywhere')).toMatchObject({ end: 'not_started', exit_code: 127 });
  writeFileSync(join(dir, 'plain'), 'text');
  expect(await run(`${dir}/plain`)).toMatchObject({ end: 'not_started', exit_code: 126 });
});

it('a program that does not end is killed, also if it ignores the signal', async () => {
  expect(await run('touch $WORK/ready; exec sleep 1000', 'timed_out')).toMatchObject({ end: 'timed_out', signal: 'SIGTERM' });
  rmSync(join(dir, 'ready'));
  const deaf = `trap '' TERM INT HUP; touch $WORK/ready; while true; do sleep 0.1; done`;
  expect(await run(deaf, 'timed_out')).toMatchObject({ end: 'timed_out', signal: 'SIGKILL' });
});

it.runIf(process.platform === 'linux')('processes that it leaves behind are killed, in its group and outside of it', async () => {
  const word = `word-${process.pid}-${Date.now()}`;
  const leave = 'sleep 1000 & setsid sleep 1000 & setsid sh -c "sleep 1000 & sleep 1000" & sleep 0.3; exit 0';
  const record = await run(leave, null, { WORD: word });
  expect(record).toMatchObject({ end: 'exited', exit_code: 0 });
  expect(record.left_behind).toBeGreaterThanOrEqual(4);
  expect(present(word)).toEqual([]);
});

it('keys in its output are masked, whole or in pieces of the stream, including unannounced tokens and API keys', async () => {
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.${'x'.repeat(43)}`;
  const print = `env; printf %s "$PLATFORM_API_KEY" | cut -c1-9 | tr -d '\\n'; sleep 0.2; printf %s "$PLATFORM_API_KEY" | cut -c10-; echo ${jwt}`;
  const made = newApiKey(randomBytes);
  await run(`${print}; echo made ${made}; printf 'api_key=%s' ${made}`, null, {
    OPENAI_API_KEY: 'sk-of-another-service',
    HARMLESS: 'plain text',
  });
  expect(output()).toContain('HARMLESS=plain text');
  for (const secret of [SECRET, 'very-secret-value', 'sk-of-another-service', jwt, made]) expect(output()).not.toContain(secret);
});

it('a flood of output is cut off, and costs no memory; a line without an end hides no secret', async () => {
  const { output_dropped: dropped } = await run(
    `printf %0200000d 0; printf %s "$PLATFORM_API_KEY"; printf %0200000d 0; head -c 50000000 /dev/zero | tr '\\0' x`,
  );
  expect(dropped).toBeGreaterThan(45_000_000);
  expect(output().length).toBeLessThan(1_100_000);
  expect(output()).toMatch(/more bytes were not kept/);
  expect(output()).not.toContain(SECRET);
});

it.runIf(process.platform === 'linux')('a program ends when the evaluation is killed', async () => {
  const word = `word-${process.pid}-${Date.now()}`;
  const guard = fork(join(import.meta.dirname, '../../../src/launch/eval/agent-guard.ts'), { execArgv: ['--import', 'tsx'] });
  const env = { PATH: process.env.PATH ?? '', WORD: word, SIMPLESIM_RUN: word };
  guard.send({ kind: 'start', command: 'setsid sleep 1000 & sleep 1000', cwd: dir, env, marker: `SIMPLESIM_RUN=${word}` });
  await waitUntil(async () => present(word).length >= 3, 'the agent to run');
  // As the channel closes when the other end dies.
  guard.disconnect();
  await waitUntil(async () => present(word).length === 0, 'everything of the agent to end');
});
