/**
 * Tells the failures in the reports of the test runners, in a few lines each: the end of a long output is what one reads first.
 */

export interface TestFailure {
  /** The test's file and name, or the step of the gate. */
  name: string;
  /** Its whole message; empty when it gave none. */
  message: string;
}

const MAX_LINES = 12;
const MAX_LINE_CHARS = 240;
const MAX_FAILURES = 20;

/** The colour codes of a terminal, which the reports keep. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** A line of a stack that is not the project's own. */
const IN_LIBRARY = /^\s+at .*(?:node_modules|node:internal)/;

interface VitestFile {
  name: string;
  status?: string;
  message?: string;
  assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
}

/** @param report what vitest's reporter `json` has written */
export function vitestFailures(report: { testResults?: VitestFile[] }): TestFailure[] {
  return (report.testResults ?? []).flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ name: `${file} › ${test.fullName}`, message: (test.failureMessages ?? []).join('\n') }));
    // A file that cannot be read, or whose hook fails, may have no failed test.
    return failed.length > 0 || status !== 'failed' ? failed : [{ name: file, message: message ?? '' }];
  });
}

interface PlaywrightSuite {
  file?: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }[];
}

/** @param report what Playwright's reporter `json` has written */
export function playwrightFailures(report: PlaywrightSuite & { errors?: { message?: string }[] }): TestFailure[] {
  const ofSuite = (suite: PlaywrightSuite): TestFailure[] => [
    ...(suite.specs ?? [])
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) => ({
        name: `${suite.file ?? 'page test'} › ${title}`,
        message: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')).join('\n'),
      })),
    ...(suite.suites ?? []).flatMap(ofSuite),
  ];
  return [...(report.errors ?? []).map(({ message }) => ({ name: 'page tests', message: message ?? '' })), ...ofSuite(report)];
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': '\n', '#13': '' };
const unescapeXml = (text: string): string => text.replace(/&([a-z]+|#\d+);/g, (whole, name) => ENTITIES[name] ?? whole);

/** @param report what pytest has written, in JUnit's form */
export function pytestFailures(report: string): TestFailure[] {
  return [...report.matchAll(/<testcase ([^>]*)><(?:failure|error|skipped)[^>]* message="([^"]*)"/g)].map(
    ([, attributes, message]) => {
      const attribute = (name: string): string => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes ?? '')?.[1] ?? '';
      return { name: unescapeXml(`${attribute('classname')} › ${attribute('name')}`), message: unescapeXml(message ?? '') };
    },
  );
}

/** A line for each failure and the beginning of what it said; those after the twentieth are counted. */
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
