/**
 * The checks of the Python library in `npm test`: lint, format, types, its tests, and those of its live half with the oldest
 * LiveKit as well (`npm run python` runs only these checks). `npm run python -- generate` generates the blocking operations.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { LIVEKIT_VERSIONS, NEWEST_LIVEKIT, PYTHON_LIBRARY_DIR, pythonWith } from './ensure-python.ts';

const EXAMPLES_DIR = join(import.meta.dirname, '../examples/python');

export interface PythonStep {
  title: string;
  command: string;
  args: string[];
  /** The working directory. */
  cwd: string;
}
export interface PythonSuite extends PythonStep {
  /** The file name of its report, in JUnit's form. */
  report: string;
}

/** Programs that use the library; those that use only the wire format are written without types. */
const EXAMPLES = ['tour.py', 'sort.py', 'physical.py', 'take_by_colour.py'].map((name) => join(EXAMPLES_DIR, name));

/** Tests of the code that uses LiveKit; the others are the same with every version of it. */
const LIVEKIT_TESTS = 'tests/realtime';

/** Creates the missing environments. @throws Error if Python is missing, or an environment cannot be created */
export function pythonChecks(log: (line: string) => void): { gates: PythonStep[]; suites: PythonSuite[] } {
  const newest = pythonWith(NEWEST_LIVEKIT, log);
  const step = (title: string, command: string, ...args: string[]): PythonStep => ({
    title,
    command,
    args: ['-m', ...args],
    cwd: PYTHON_LIBRARY_DIR,
  });
  const gates = [
    step('Python lint', newest, 'ruff', 'check', '--quiet', '.', ...EXAMPLES),
    step('Python format', newest, 'ruff', 'format', '--check', '--quiet', '.', ...EXAMPLES),
    step('Python types', newest, 'mypy'),
    step('Python types of the examples', newest, 'mypy', '--strict', ...EXAMPLES),
  ];
  const suites = LIVEKIT_VERSIONS.map((version) => {
    const which = version === NEWEST_LIVEKIT ? [] : [LIVEKIT_TESTS];
    const python = version === NEWEST_LIVEKIT ? newest : pythonWith(version, log);
    return {
      ...step(`Python tests with livekit ${version}`, python, 'pytest', '--quiet', ...which),
      report: `pytest-${version}.xml`,
    };
  });
  return { gates, suites };
}

/** Reads a report in JUnit's form. A skipped test has proved nothing, so it counts as failed. */
export function readTally(report: string): { passed: number; failed: number } {
  const opening = /<testsuite [^>]*>/.exec(report)?.[0] ?? '';
  const [tests, ...bad] = ['tests', 'failures', 'errors', 'skipped'].map((name) => {
    const count = new RegExp(` ${name}="(\\d+)"`).exec(opening)?.[1];
    if (count === undefined) throw new Error(`The report of pytest does not contain ${name}.`);
    return Number(count);
  });
  const failed = bad.reduce((sum, count) => sum + count, 0);
  return { passed: (tests ?? 0) - failed, failed };
}

/** Writes the modules that block, from those that await. @throws Error as `pythonChecks` does */
function generation(log: (line: string) => void): PythonStep {
  const command = pythonWith(NEWEST_LIVEKIT, log);
  return { title: 'Python modules that block', command, args: ['generate_blocking.py'], cwd: PYTHON_LIBRARY_DIR };
}

if (process.argv[1] === import.meta.filename) {
  const log = (line: string): void => console.log(line);
  const { gates, suites } = process.argv[2] === 'generate' ? { gates: [generation(log)], suites: [] } : pythonChecks(log);
  for (const { title, command, args, cwd } of [...gates, ...suites]) {
    console.log(`== ${title}`);
    if (spawnSync(command, args, { cwd, stdio: 'inherit' }).status !== 0) process.exitCode = 1;
  }
}
