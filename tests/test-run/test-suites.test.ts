import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runSuite, UNIT_TESTS } from '../../scripts/test-suites.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'simplesim-suites-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** The output of vitest's reporter `json` for such tests, without the parts that are not read. */
function reportOf(statuses: Record<string, 'passed' | 'failed'>): string {
  const results = Object.entries(statuses);
  const failed = results.filter(([, status]) => status === 'failed').length;
  return JSON.stringify({
    numPassedTests: results.length - failed,
    numFailedTests: failed,
    testResults: results.map(([name, status]) => ({
      name: `${name}.test.ts`,
      status,
      assertionResults: [{ fullName: name, status, failureMessages: ['broken'] }],
    })),
  });
}

/** Runs the unit suite with the given reports in turn; null stands for a run that ends without a report. */
async function runWith(...reports: (string | null)[]) {
  const commands: string[][] = [];
  const outcome = await runSuite(UNIT_TESTS, dir, async (_title, _command, args) => {
    commands.push(args);
    const report = reports[commands.length - 1];
    const file = args.find((arg) => arg.startsWith('--outputFile.json='))?.slice('--outputFile.json='.length) ?? '';
    if (report) writeFileSync(file, report);
    return report !== null && report !== undefined && !report.includes('"failed"');
  });
  return { ...outcome, commands };
}

test('a suite without a failure runs once', async () => {
  const { tally, flaky, commands } = await runWith(reportOf({ a: 'passed', b: 'passed' }));
  expect([tally, flaky, commands.length]).toEqual([{ passed: 2, failed: 0 }, [], 1]);
});

test('a test that fails with others and passes alone is flaky, and only its file runs a second time', async () => {
  const { tally, failures, flaky, commands } = await runWith(reportOf({ a: 'passed', b: 'failed' }), reportOf({ b: 'passed' }));
  expect([tally, failures]).toEqual([{ passed: 2, failed: 0 }, []]);
  expect(flaky.map(({ name }) => name)).toEqual(['b.test.ts › b']);
  expect(commands[1]).toContain('b.test.ts');
  expect(commands[1]).not.toContain('a.test.ts');
});

test('a test that fails twice has failed, next to a flaky one', async () => {
  const { tally, failures, flaky } = await runWith(
    reportOf({ a: 'failed', b: 'failed' }),
    reportOf({ a: 'failed', b: 'passed' }),
  );
  expect(tally).toEqual({ passed: 1, failed: 1 });
  expect([failures, flaky].map((list) => list.map(({ name }) => name))).toEqual([['a.test.ts › a'], ['b.test.ts › b']]);
});

test.each([
  ['without a report', null],
  ['with a failure that the first run did not have', reportOf({ a: 'passed', c: 'failed' })],
])('a second run %s clears no failure', async (_how, second) => {
  const { tally, flaky } = await runWith(reportOf({ a: 'failed' }), second);
  expect([tally, flaky]).toEqual([{ passed: 0, failed: 1 }, []]);
});

test('a run that ends without a report is a failure that no second run clears', async () => {
  const { tally, failures, commands } = await runWith(null);
  expect([tally, failures.length, commands.length]).toEqual([{ passed: 0, failed: 1 }, 1, 1]);
});

test('a run with more than ten failures has no second run', async () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`test ${index}`, 'failed' as const]));
  const { tally, commands } = await runWith(reportOf(many));
  expect([tally, commands.length]).toEqual([{ passed: 0, failed: 11 }, 1]);
});
