/**
 * `npm test`: installs what the tests need, runs the gate and every suite, and ends with `N passed, N failed` over all of them. A
 * failed test runs a second time, alone. If it then passes, it is listed as flaky in the last lines and in `flaky.json` of the
 * reports; a run passes with at most two of these. A step of the gate (types, lint, imports, words, build, compile, weight, workflows,
 * and lint, format and types of Python) counts as one test.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printError, printProgress } from '../src/launch/output.ts';
import { findSfuBinary } from '../src/launch/sfu-binary.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { ensurePostgres } from './ensure-postgres.ts';
import { ensureRedis } from './ensure-redis.ts';
import { type PythonStep, type PythonSuite, pythonChecks } from './python-checks.ts';
import { failureLines, MAX_FLAKY, type TestFailure } from './test-failures.ts';
import { pageTests, pythonTests, runSuite, type Suite, type Tally, UNIT_TESTS } from './test-suites.ts';

/** Projects of `playwright.config.ts`. */
const PAGE_TESTS = [
  [['together'], 'page tests, side by side'],
  [['alone', 'quiet'], 'page tests that judge times'],
] as const;

const reportDir = join(import.meta.dirname, '../.cache/test-reports');
rmSync(reportDir, { recursive: true, force: true });
mkdirSync(reportDir, { recursive: true });

const total: Tally = { passed: 0, failed: 0 };
const failures: TestFailure[] = [];
const flaky: TestFailure[] = [];
const startedAtMs = Date.now();

/**
 * The output of a step is printed as a whole when it ends, because two steps run in parallel. The output of a single suite is
 * printed as it appears.
 */
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
  if (!ok) failures.push({ name: title, message: 'See its output above.' });
}

async function suite(suite: Suite, output: Output = 'as it goes'): Promise<void> {
  const { title, cwd = process.cwd() } = suite;
  const outcome = await runSuite(suite, reportDir, (name, command, args, env) => run(name, command, args, env, cwd, output));
  failures.push(...outcome.failures);
  flaky.push(...outcome.flaky);
  total.passed += outcome.tally.passed;
  total.failed += outcome.tally.failed;
  console.log(`== ${title}: ${outcome.tally.passed} good, ${outcome.tally.failed} failed`);
}

let python: { gates: PythonStep[]; suites: PythonSuite[] };
try {
  const browser = ensureBrowser((line) => console.log(line));
  process.env.SIMPLESIM_CHROMIUM = browser;
  ensurePostgres((line) => console.log(line));
  ensureRedis((line) => console.log(line));
  python = pythonChecks((line) => console.log(line));
  await findSfuBinary(process.env, printProgress);
} catch (error) {
  printError(error instanceof Error ? error.message : String(error));
  console.log('0 passed, 1 failed');
  process.exit(1);
}

const npx = (title: string, ...args: string[]): Promise<void> => gate(title, 'npx', args);

// Two lanes, with a core each: a step that needs another step comes after it.
await Promise.all([
  (async () => {
    await npx('types', 'tsc', '-b');
    await npx('build', 'vite', 'build', '--logLevel', 'warn');
    await gate('compile', 'node', ['scripts/compile.mjs']);
    await npx('weight', 'tsx', 'scripts/check-weight.ts');
    await npx('imports', 'tsx', 'scripts/check-imports.ts');
    await npx('words', 'tsx', 'scripts/check-words.ts');
    await npx('docs', 'tsx', 'scripts/generate-docs.ts', '--check');
    await gate('lint', 'npm', ['run', '--silent', 'lint']);
  })(),
  (async () => {
    await npx('workflows', 'tsx', 'scripts/workflow-checks.ts');
    for (const { title, command, args, cwd } of python.gates) await gate(title, command, args, cwd);
    for (const pythonSuite of python.suites) await suite(pythonTests(pythonSuite), 'as a whole');
  })(),
]);

await suite(UNIT_TESTS);
for (const [projects, title] of PAGE_TESTS) await suite(pageTests(title, projects));

for (const [title, script] of Object.entries({
  promises: 'tests/promises/print-table.ts',
  replies: 'tests/client-models/print-counts.ts',
  'what cost most': 'tests/costs/print-costs.ts',
}))
  await run(title, 'npx', ['tsx', script], {}, process.cwd(), 'as it goes');
if (failures.length > 0) console.log(['\n== what failed', ...failureLines(failures)].join('\n'));
if (flaky.length > MAX_FLAKY) {
  total.passed -= flaky.length;
  total.failed += flaky.length;
}
if (flaky.length > 0) {
  writeFileSync(join(reportDir, 'flaky.json'), JSON.stringify(flaky, null, 2));
  const allowed = flaky.length > MAX_FLAKY ? `more than the ${MAX_FLAKY} that a run may have` : 'fix them next';
  console.log([`\n== flaky (failed, then passed alone): ${allowed}`, ...failureLines(flaky)].join('\n'));
}
console.log(`\nall suites took ${((Date.now() - startedAtMs) / 60_000).toFixed(1)} min`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
