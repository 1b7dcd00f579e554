/**
 * Reports the failures in the reports of the test runners, in a few lines each, because readers look at the end of a long output
 * first.
 */

export interface TestFailure {
  /** The test's file and name, or the step of the gate. */
  name: string;
  /** Its whole message; empty if it has none. */
  message: string;
  /** The argument with which its runner runs only this test or its file. Missing for a failure outside a test. */
  selection?: string;
}

const MAX_LINES = 12;
const MAX_LINE_CHARS = 240;
const MAX_FAILURES = 20;

/** The colour codes of a terminal, which the reports contain. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** A line of a stack that is not in the project's own code. */
const IN_LIBRARY = /^\s+at .*(?:node_modules|node:internal)/;

interface VitestFile {
  name: string;
  status?: string;
  message?: string;
  assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
}

/** @param report the output of vitest's reporter `json` */
export function vitestFailures(report: { testResults?: VitestFile[] }): TestFailure[] {
  return (report.testResults ?? []).flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({
        name: `${file} › ${test.fullName}`,
        message: (test.failureMessages ?? []).join('\n'),
        selection: file,
      }));
    // A file that cannot be read, or whose hook fails, may have no failed test.
    return failed.length > 0 || status !== 'failed' ? failed : [{ name: file, message: message ?? '', selection: file }];
  });
}

interface PlaywrightSuite {
  file?: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; ok: boolean; line: number; tests: { results: { error?: { message?: string } }[] }[] }[];
}

/** @param report the output of Playwright's reporter `json` */
export function playwrightFailures(report: PlaywrightSuite & { errors?: { message?: string }[] }): TestFailure[] {
  const ofSuite = (suite: PlaywrightSuite): TestFailure[] => [
    ...(suite.specs ?? [])
      .filter(({ ok }) => !ok)
      .map(({ title, line, tests }) => ({
        name: `${suite.file ?? 'page test'} › ${title}`,
        message: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).join('\n'),
        ...(suite.file ? { selection: `${suite.file}:${line}` } : {}),
      })),
    ...(suite.suites ?? []).flatMap(ofSuite),
  ];
  return [...(report.errors ?? []).map(({ message }) => ({ name: 'page tests', message: message ?? '' })), ...ofSuite(report)];
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': '\n', '#13': '' };
const unescapeXml = (text: string): string => text.replace(/&([a-z]+|#\d+);/g, (whole, name) => ENTITIES[name] ?? whole);

/** @param report the output of pytest, in JUnit's form */
export function pytestFailures(report: string): TestFailure[] {
  return [...report.matchAll(/<testcase ([^>]*)><(?:failure|error|skipped)[^>]* message="([^"]*)"/g)].map(
    ([, attributes, message]) => {
      const attribute = (name: string): string => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes ?? '')?.[1] ?? '';
      const name = unescapeXml(`${attribute('classname')} › ${attribute('name')}`);
      return { name, message: unescapeXml(message ?? ''), selection: '--last-failed' };
    },
  );
}

/** How many flaky tests a run may have and still pass. */
export const MAX_FLAKY = 2;

/**
 * Separates tests that failed twice from flaky ones.
 * @param failures the failures of the full run
 * @param stillFailing the failures of the second run, alone; null when that run ended without a report
 */
export function separateFlaky(
  failures: readonly TestFailure[],
  stillFailing: readonly TestFailure[] | null,
): { failed: TestFailure[]; flaky: TestFailure[] } {
  const again = new Set(stillFailing?.map(({ name }) => name));
  // A failure that only the second run has, outside a test, may be the wanted one.
  const unclear = stillFailing?.some(({ name }) => !failures.some((failure) => failure.name === name)) ?? true;
  const isFlaky = (failure: TestFailure): boolean => !unclear && failure.selection !== undefined && !again.has(failure.name);
  return { failed: failures.filter((failure) => !isFlaky(failure)), flaky: failures.filter(isFlaky) };
}

/** Returns a line for each failure and the beginning of its message. Failures after the twentieth are only counted. */
export function failureLines(failures: readonly TestFailure[]): string[] {
  const lines = failures.slice(0, MAX_FAILURES).flatMap(({ name, message }) => [
    `✗ ${name}`,
    ...message
      .replace(COLOUR, '')
      .split('\n')
      .filter((line) => line.trim() !== '' && !IN_LIBRARY.test(line))
      .slice(0, MAX_LINES)
      .map((line) => `    ${line.slice(0, MAX_LINE_CHARS)}`),
  ]);
  const more = failures.length - MAX_FAILURES;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}
