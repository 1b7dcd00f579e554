/** Foreign text in the output of a command: the terminal obeys none of it, and none of its rows looks like ours. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PlatformAPIError } from '../../src/client/index.ts';
import { shownJson } from '../../src/common/shown-text.ts';
import { createKey } from '../../src/control-service/accounts.ts';
import { formatLogLine } from '../../src/control-service/log.ts';
import { readSceneFiles } from '../../src/headless/eval/scene-files.ts';
import { readTaskFiles } from '../../src/headless/eval/task-files.ts';
import { closingText, runLine, unlikeTexts } from '../../src/launch/eval/eval-texts.ts';
import { print, printError, printTrouble } from '../../src/launch/output.ts';
import { UsageError } from '../../src/launch/read-options.ts';
import { releaseStops } from '../../src/launch/release-stops.ts';
import { troubleLine } from '../../src/launch/terminal-log.ts';
import { verificationText } from '../../src/protocol/texts/headless-texts.ts';
import { jsonLine, plainLine } from '../../src/worker/log.ts';
import { operateOn } from '../control-service/helpers/operate.ts';
import { startTestService, type TestService } from '../control-service/helpers/service.ts';
import { recordOf } from '../headless/eval/records.ts';

/** Colours, the cursor, a title (OSC), C1 controls, reversed text, an invisible sign, and a line that looks like one of ours. */
const EVIL = 'x\u001b[2K\r\u001b]0;owned\u0007\u009b31m\u0085\u202e\u2067\u200b\u2028true. All is well\nFAKE ROW';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066\u2067]/u;

let service: TestService;
const dir = mkdtempSync(join(tmpdir(), 'simplesim-foreign-'));
beforeAll(async () => {
  service = await startTestService({ database: 'PGlite' });
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The output that reaches the terminal during an action. */
async function printed(work: () => unknown): Promise<string> {
  const said: string[] = [];
  const take = (text: string): void => void said.push(text);
  const spies = [vi.spyOn(console, 'log').mockImplementation(take), vi.spyOn(console, 'error').mockImplementation(take)];
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return said.join('\n');
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

const summary = (name: string) =>
  ({
    all: { passed: 0, runs: 1, errors: 0 },
    tasks: [{ task: name, passed: 0, runs: 1, rate: null, passed_unaided: 0 }],
  }) as never;

const COMMANDS: [name: string, work: () => unknown][] = [
  [
    'verify, its file name and task',
    () => print(verificationText({ is: 'true', steps: 1 }, { seconds: 1, run: { task: EVIL, seed: 1, outcome: 'passed' } })),
  ],
  [
    'verify, what is false',
    () => print(verificationText({ is: 'false', sameUntilStep: 0, atStep: 0, what: EVIL }, { seconds: 1, run: null })),
  ],
  [
    'verify, what is damaged',
    () => print(verificationText({ is: 'damaged', path: EVIL, what: EVIL }, { seconds: 1, run: null })),
  ],
  ['verify, another version', () => print(verificationText({ is: 'other_version', what: EVIL }, { seconds: 1, run: null }))],
  ['verify --json', () => print(shownJson({ file: EVIL, what: EVIL }))],
  ['eval, a run', () => print(runLine(recordOf({ outcome: 'error', reason: EVIL }), (file) => file))],
  ['eval, its end', () => print(closingText(summary(EVIL), [], EVIL))],
  [
    'eval --compare',
    () =>
      unlikeTexts({ onlyOne: [EVIL], changed: [EVIL], conditions: [{ what: 'version', before: EVIL, now: '1' }] }).forEach(print),
  ],
  [
    'eval, an invalid task file',
    async () => {
      writeFileSync(join(dir, 'evil.json'), JSON.stringify({ format: 'simplesim.task/1', [EVIL]: 1, scene: EVIL }));
      printTrouble(await thrownBy(readTaskFiles([join(dir, 'evil.json'), join(dir, EVIL)])));
    },
  ],
  ['eval --scenes', async () => printTrouble(await thrownBy(readSceneFiles([join(dir, 'evil.json'), join(dir, EVIL)])))],
  [
    'link, start and every other command: the sentence of a server',
    () => printTrouble(new PlatformAPIError({ statusCode: 500, code: 'x', message: EVIL }), 'There is no link. '),
  ],
  ['every command: an argument', () => printTrouble(new UsageError(`There is no profile "${EVIL.replaceAll('\n', '')}".`))],
  ['start, trouble of the service', () => printError(troubleLine({ level: 'warn', event: 'x', message: EVIL, room: EVIL }))],
  ['service serve', () => print(formatLogLine({ level: 'warn', event: 'x', message: EVIL }, 0))],
  ['worker and headless, lines for people', () => print(plainLine({ level: 'warn', event: 'x', room: EVIL, message: EVIL }, 0))],
  ['worker and headless, lines for programs', () => print(jsonLine({ level: 'warn', event: 'x', room: EVIL, message: EVIL }, 0))],
  [
    'headless and worker --release-emergency-stop',
    async () => printTrouble(await thrownBy(releaseStops(dir, { isThere: true, say: print, ask: async () => '' }, 0))),
  ],
  ['service keys list', async () => print((await operateOn(service, 'keys', 'list')).out)],
  ['service robots list', async () => print((await operateOn(service, 'robots', 'list')).out)],
];

describe('a command that prints foreign text', () => {
  beforeAll(async () => {
    // Names also come by HTTP, which is less strict than the command line.
    await service.reset();
    await createKey(service.deps, { account: EVIL.slice(0, 40), name: EVIL, expiresAt: null });
    const { status, body } = await service.send('POST', '/v1/robots', {
      body: { name: EVIL, type: 'virtual', model: 'simplesim' },
    });
    expect([status, JSON.stringify(body)]).toEqual([200, expect.any(String)]);
  });

  it.each(COMMANDS)('a command that prints foreign text lets no terminal obey it: %s', async (_name, work) => {
    const text = await printed(work);
    expect(text).not.toBe('');
    expect(text).not.toMatch(OBEYED);
    expect(text.split('\n').filter((line) => line.startsWith('FAKE'))).toEqual([]);
  });
});

it('a line for programs keeps every value unchanged', () => {
  expect(JSON.parse(shownJson({ name: EVIL, of: [1, '\u{1f642}\u{e0001}'] }))).toEqual({
    name: EVIL,
    of: [1, '\u{1f642}\u{e0001}'],
  });
});

it('the commands write to the terminal in one place alone', () => {
  const root = join(import.meta.dirname, '../../src/launch');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && name !== 'output.ts',
  );
  const writes = files.filter((name) => /process\.(?:stdout|stderr)\.write\(/.test(readFileSync(join(root, name), 'utf8')));
  expect(writes).toEqual([]);
});

it('verify prints the name of a file on one line', async () => {
  const name = `proof ${EVIL.replaceAll('\0', '')}.json`;
  writeFileSync(join(dir, name), '{}');
  const command = join(import.meta.dirname, '../../src/launch/simplesim.ts');
  const { out } = await new Promise<{ out: string }>((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', command, 'verify', join(dir, name)], (_error, out) => resolve({ out }));
  });
  expect(out).toContain('DAMAGED');
  expect(out).not.toMatch(OBEYED);
  expect(out.trimEnd().split('\n')).toHaveLength(1);
});
