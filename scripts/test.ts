/**
 * `npm test`: installs what the tests need, runs the gate and every suite, and ends with `N passed, N failed` over all of them.
 * A step of the gate (types, lint, imports, build, compile, weight, and lint, format and types of Python) counts as one test.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findSfuBinary } from '../src/launch/sfu-binary.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { ensurePostgres } from './ensure-postgres.ts';
import { ensureRedis } from './ensure-redis.ts';
import { type PythonStep, type PythonSuite, pythonChecks } from './python-checks.ts';
import { failureLines, playwrightFailures, type TestFailure, vitestFailures } from './test-failures.ts';

/** Projects of `playwright.config.ts`. */
const PAGE_TESTS = [
  [['together'], 'page tests, side by side'],
  [['alone', 'quiet'], 'page tests that judge times'],
] as const;

interface Tally {
  passed: number;
  failed: number;
}

const reportDir = join(import.meta.dirname, '../.cache/test-reports');
rmSync(reportDir, { recursive: true, force: true });
mkdirSync(reportDir, { recursive: true });

const total: Tally = { passed: 0, failed: 0 };
const failures: TestFailure[] = [];
const startedAtMs = Date.now();

/** The output of a step is printed as a whole when it ends, since two run side by side; a suite alone is followed as it goes. */
type Output = 'as it goes' | 'as a whole';

async function run(
  title: string,
  command: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
  output: Output,
): Promise<boolean> {
  if (output === 'as it goes') console.log(`\n== ${title}`);
  const stepStartedAtMs = Date.now();
  const child = spawn(command, args, {
    stdio: output === 'as it goes' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    cwd,
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => said.push(bytes));
  const status = await new Promise<number | string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'no code'));
  });
  if (output === 'as a whole') process.stdout.write(`\n== ${title}\n${Buffer.concat(said).toString()}`);
  const took = `${((Date.now() - stepStartedAtMs) / 1000).toFixed(0)} s`;
  console.log(`== ${title}: ${status === 0 ? 'ok' : `failed (exit ${status})`} in ${took}`);
  return status === 0;
}

async function gate(title: string, command: string, args: string[], cwd = process.cwd()): Promise<void> {
  const ok = await run(title, command, args, {}, cwd, 'as a whole');
  total[ok ? 'passed' : 'failed'] += 1;
  if (!ok) failures.push({ name: title, message: 'What it said stands above.' });
}

/** A program with tests of its own, and how to read what came of them. */
interface Suite {
  title: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  output?: Output;
  tally(): Tally;
  failures(): TestFailure[];
}

/** A suite that failed without saying which test counts as one failure more. */
async function suite({
  title,
  command,
  args,
  env = {},
  cwd = process.cwd(),
  output = 'as it goes',
  ...report
}: Suite): Promise<void> {
  const ok = await run(title, command, args, env, cwd, output);
  let counted: Tally;
  let named: TestFailure[] = [];
  try {
    counted = report.tally();
    named = report.failures();
  } catch {
    counted = { passed: 0, failed: 0 };
  }
  if (!ok && named.length === 0) named = [{ name: title, message: 'It ended without a report that names a test.' }];
  failures.push(...named);
  total.passed += counted.passed;
  total.failed += counted.failed + (ok || counted.failed > 0 ? 0 : 1);
  console.log(`== ${title}: ${counted.passed} passed, ${counted.failed} failed`.replace(/ passed, /, ' good, '));
}

function readReport(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(reportDir, name), 'utf8'));
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);

let python: { gates: PythonStep[]; suites: PythonSuite[] };
try {
  const browser = ensureBrowser((line) => console.log(line));
  process.env.SIMPLESIM_CHROMIUM = browser;
  ensurePostgres((line) => console.log(line));
  ensureRedis((line) => console.log(line));
  python = pythonChecks(reportDir, (line) => console.log(line));
  await findSfuBinary(process.env, (line) => console.log(line));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

const npx = (title: string, ...args: string[]): Promise<void> => gate(title, 'npx', args);

// Two lanes, a core each: what needs another step stands behind it.
await Promise.all([
  (async () => {
    await npx('types', 'tsc', '-b');
    await npx('build', 'vite', 'build', '--logLevel', 'warn');
    await gate('compile', 'node', ['scripts/compile.mjs']);
    await npx('weight', 'tsx', 'scripts/check-weight.ts');
    await npx('imports', 'tsx', 'scripts/check-imports.ts');
    await npx('docs', 'tsx', 'scripts/generate-docs.ts', '--check');
    await gate('lint', 'npm', ['run', '--silent', 'lint']);
  })(),
  (async () => {
    for (const { title, command, args, cwd } of python.gates) await gate(title, command, args, cwd);
    for (const pythonSuite of python.suites) await suite({ ...pythonSuite, output: 'as a whole' });
  })(),
]);

await suite({
  title: 'unit and service tests',
  command: 'npx',
  args: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(reportDir, 'vitest.json')}`],
  tally() {
    const report = readReport('vitest.json');
    return {
      passed: count(report.numPassedTests),
      failed: count(report.numFailedTests) + count(report.numFailedTestSuites && !report.numFailedTests ? 1 : 0),
    };
  },
  failures: () => vitestFailures(readReport('vitest.json')),
});

for (const [projects, title] of PAGE_TESTS) {
  const report = `playwright-${projects[0]}.json`;
  await suite({
    title,
    command: 'npx',
    args: ['playwright', 'test', ...projects.map((project) => `--project=${project}`), '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: join(reportDir, report) },
    tally() {
      const stats = readReport(report).stats as Record<string, unknown>;
      return { passed: count(stats.expected), failed: count(stats.unexpected) + count(stats.flaky) };
    },
    failures: () => playwrightFailures(readReport(report)),
  });
}

for (const [title, script] of Object.entries({
  promises: 'tests/promises/print-table.ts',
  replies: 'tests/client-models/print-counts.ts',
}))
  await run(title, 'npx', ['tsx', script], {}, process.cwd(), 'as it goes');
if (failures.length > 0) console.log(['\n== what failed', ...failureLines(failures)].join('\n'));
console.log(`\nall suites took ${((Date.now() - startedAtMs) / 60_000).toFixed(1)} min`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
