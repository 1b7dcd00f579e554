/**
 * `npm test`: installs what the tests need, runs the gate and every suite, and ends with `N passed, N failed` over all of them.
 * A step of the gate (types, lint, imports, build, compile, weight, and lint, format and types of Python) counts as one test.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findSfuBinary } from '../src/launch/sfu-binary.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { ensurePostgres } from './ensure-postgres.ts';
import { ensureRedis } from './ensure-redis.ts';
import { type PythonStep, type PythonSuite, pythonChecks } from './python-checks.ts';
import { failureLines, playwrightFailures, type TestFailure, vitestFailures } from './test-failures.ts';

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

function run(title: string, command: string, args: string[], env: Record<string, string> = {}, cwd = process.cwd()): boolean {
  console.log(`\n== ${title}`);
  const stepStartedAtMs = Date.now();
  const outcome = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env }, cwd });
  console.log(
    `== ${title}: ${outcome.status === 0 ? 'ok' : `failed (exit ${outcome.status})`} in ${((Date.now() - stepStartedAtMs) / 1000).toFixed(0)} s`,
  );
  return outcome.status === 0;
}

function gate(title: string, command: string, args: string[], cwd?: string): void {
  const ok = run(title, command, args, {}, cwd);
  total[ok ? 'passed' : 'failed'] += 1;
  if (!ok) failures.push({ name: title, message: 'What it said stands above.' });
}

/** A suite that failed without saying which test counts as one failure more. */
function suite(
  title: string,
  command: string,
  args: string[],
  env: Record<string, string>,
  tally: () => Tally,
  failuresOf: () => TestFailure[],
  cwd?: string,
): void {
  const ok = run(title, command, args, env, cwd);
  let counted: Tally;
  let named: TestFailure[] = [];
  try {
    counted = tally();
    named = failuresOf();
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

gate('types', 'npx', ['tsc', '-b']);
gate('lint', 'npx', ['biome', 'check', '.']);
gate('imports', 'npx', ['tsx', 'scripts/check-imports.ts']);
gate('docs', 'npx', ['tsx', 'scripts/generate-docs.ts', '--check']);
gate('build', 'npx', ['vite', 'build', '--logLevel', 'warn']);
gate('compile', 'node', ['scripts/compile.mjs']);
gate('weight', 'npx', ['tsx', 'scripts/check-weight.ts']);
for (const { title, command, args, cwd } of python.gates) gate(title, command, args, cwd);
for (const { title, command, args, cwd, tally, failures } of python.suites) suite(title, command, args, {}, tally, failures, cwd);

suite(
  'unit and service tests',
  'npx',
  ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(reportDir, 'vitest.json')}`],
  {},
  () => {
    const report = readReport('vitest.json');
    return {
      passed: count(report.numPassedTests),
      failed: count(report.numFailedTests) + count(report.numFailedTestSuites && !report.numFailedTests ? 1 : 0),
    };
  },
  () => vitestFailures(readReport('vitest.json')),
);

suite(
  'page tests',
  'npx',
  ['playwright', 'test', '--reporter=list,json'],
  { PLAYWRIGHT_JSON_OUTPUT_NAME: join(reportDir, 'playwright.json') },
  () => {
    const stats = readReport('playwright.json').stats as Record<string, unknown>;
    return { passed: count(stats.expected), failed: count(stats.unexpected) + count(stats.flaky) };
  },
  () => playwrightFailures(readReport('playwright.json')),
);

run('promises', 'npx', ['tsx', 'tests/promises/print-table.ts']);
run('replies', 'npx', ['tsx', 'tests/client-models/print-counts.ts']);
if (failures.length > 0) console.log(['\n== what failed', ...failureLines(failures)].join('\n'));
console.log(`\nall suites took ${((Date.now() - startedAtMs) / 60_000).toFixed(1)} min`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
