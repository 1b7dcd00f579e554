/** The suites of `npm test`: how each is run, completely or only some of its tests, and how its report is read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PythonSuite, readTally } from './python-checks.ts';
import { playwrightFailures, pytestFailures, separateFlaky, type TestFailure, vitestFailures } from './test-failures.ts';

export interface Tally {
  passed: number;
  failed: number;
}

/** A program with its own tests. */
export interface Suite {
  title: string;
  cwd?: string;
  /**
   * Returns the command of a run.
   * @param reportFile Where it writes its report.
   * @param selection The tests to run, as `TestFailure.selection` names them; all of them if empty.
   */
  command(reportFile: string, selection: readonly string[]): { command: string; args: string[]; env?: Record<string, string> };
  /** The file name of its report. */
  reportName: string;
  /** Reads a report. @throws Error if it is incomplete. */
  read(report: string): { tally: Tally; failures: TestFailure[] };
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const UNIT_TESTS: Suite = {
  title: 'unit and service tests',
  reportName: 'vitest.json',
  command: (reportFile, selection) => ({
    command: 'npx',
    args: [
      ...['vitest', 'run', ...selection, ...(selection.length > 0 ? ['--no-file-parallelism'] : [])],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`],
    ],
  }),
  read(text) {
    const report = JSON.parse(text) as Record<string, unknown>;
    const failed = count(report.numFailedTests) + count(report.numFailedTestSuites && !report.numFailedTests ? 1 : 0);
    return { tally: { passed: count(report.numPassedTests), failed }, failures: vitestFailures(report) };
  },
};

/** @param projects The projects of `playwright.config.ts` that run in parallel. */
export const pageTests = (title: string, projects: readonly string[]): Suite => ({
  title,
  reportName: `playwright-${projects[0]}.json`,
  command: (reportFile, selection) => ({
    command: 'npx',
    args: [
      ...['playwright', 'test', ...selection, ...(selection.length > 0 ? ['--workers=1'] : [])],
      ...[...projects.map((project) => `--project=${project}`), '--reporter=list,json'],
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile },
  }),
  read(text) {
    const report = JSON.parse(text) as Parameters<typeof playwrightFailures>[0] & { stats: Record<string, unknown> };
    const { expected, unexpected, flaky } = report.stats;
    return {
      tally: { passed: count(expected), failed: count(unexpected) + count(flaky) },
      failures: playwrightFailures(report),
    };
  },
});

export const pythonTests = ({ title, command, args, cwd, report }: PythonSuite): Suite => ({
  title,
  cwd,
  reportName: report,
  command: (reportFile, selection) => ({
    command,
    args: [...args, ...(selection.length > 0 ? ['--last-failed'] : []), `--junitxml=${reportFile}`],
  }),
  read: (text) => ({ tally: readTally(text), failures: pytestFailures(text) }),
});

/** With more failures than these the change or the machine is at fault, and a second run would only take time. */
const MAX_RUN_AGAIN = 10;

interface Outcome {
  tally: Tally;
  failures: TestFailure[];
}

/** Starts a command of a suite. @returns whether it ended with exit code 0 */
export type RunCommand = (title: string, command: string, args: string[], env: Record<string, string>) => Promise<boolean>;

/**
 * Runs a suite. Failed tests run a second time, alone; those that then pass are flaky.
 * @param reportDir Where the reports of both runs are written.
 */
export async function runSuite(suite: Suite, reportDir: string, run: RunCommand): Promise<Outcome & { flaky: TestFailure[] }> {
  const runOnce = async (title: string, reportName: string, selection: readonly string[]): Promise<Outcome> => {
    const reportFile = join(reportDir, reportName);
    const { command, args, env = {} } = suite.command(reportFile, selection);
    return outcomeOf(suite, reportFile, await run(title, command, args, env));
  };
  const { tally, failures } = await runOnce(suite.title, suite.reportName, []);
  const selection = selectionOf(failures);
  const second =
    selection.length > 0 && failures.length <= MAX_RUN_AGAIN
      ? await runOnce(`${suite.title}, failed tests alone`, `again-${suite.reportName}`, selection)
      : null;
  const { failed, flaky } = separateFlaky(failures, second?.failures ?? null);
  return {
    tally: { passed: tally.passed + flaky.length, failed: tally.failed - flaky.length },
    failures: failed,
    flaky,
  };
}

/** Reads the result of a suite's run. A run that fails without naming a test counts as one failure without a selection. */
function outcomeOf(suite: Suite, reportFile: string, succeeded: boolean): Outcome {
  let read: Outcome | null = null;
  try {
    read = suite.read(readFileSync(reportFile, 'utf8'));
  } catch {
    // A missing or incomplete report: the failure below reports it.
  }
  const { tally, failures } = read ?? { tally: { passed: 0, failed: 0 }, failures: [] };
  if (succeeded ? read !== null : failures.length > 0) return { tally, failures };
  const unnamed = { name: suite.title, message: 'It ended without a report that names a test.' };
  return { tally: { ...tally, failed: tally.failed + 1 }, failures: [...failures, unnamed] };
}

/** The selections of failed tests, each once; empty if one of the failures is not a test, which a second run cannot clear. */
function selectionOf(failures: readonly TestFailure[]): string[] {
  const selections = failures.flatMap(({ selection }) => selection ?? []);
  return selections.length < failures.length ? [] : [...new Set(selections)];
}
