/**
 * `npm run storm`: every seeded proof at full size, on all cores, with a table per promise at the end.
 *
 *   npm run storm                       everything, full size
 *   npm run storm -- --size smoke        as small as in `npm test`
 *   npm run storm -- picks walks        only these suites
 *   npm run storm -- picks --seed 17    one seed, here and now: what a failing seed is looked into with
 */
import { parseArgs } from 'node:util';
import { sentenceOf } from '../client-models/check.ts';
import { runOnAllCores } from './storm-run.ts';
import { reportOf, runSeed, type SuiteReport } from './suite.ts';
import { SUITES } from './suites.ts';
import { promiseTable } from './table.ts';

const { values, positionals } = parseArgs({
  options: { size: { type: 'string', default: 'full' }, seed: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});

const size = values.size === 'smoke' ? 'smoke' : 'full';
const unknown = positionals.filter((name) => !SUITES.some((suite) => suite.name === name));
if (values.help || unknown.length > 0 || (values.size !== 'smoke' && values.size !== 'full')) {
  if (unknown.length > 0) console.error(`There is no suite ${unknown.join(', ')}.`);
  console.error(
    `npm run storm [-- --size smoke|full] [--seed N] [suite …]\nSuites: ${SUITES.map(({ name }) => name).join(', ')}`,
  );
  process.exit(values.help ? 0 : 2);
}
const chosen = SUITES.filter((suite) => positionals.length === 0 || positionals.includes(suite.name));

const reports: SuiteReport[] = [];
for (const suite of chosen) {
  if (values.seed === undefined) {
    console.error(`${suite.name}: ${suite.title}`);
    reports.push(await runOnAllCores(suite, size, (line) => console.error(line)));
    continue;
  }
  const startedAtMs = performance.now();
  const outcome = await runSeed(suite, Number(values.seed), size);
  for (const failure of outcome.failures) console.error(`${suite.name}: ${failure}`);
  reports.push(reportOf(suite, values.seed, [outcome], (performance.now() - startedAtMs) / 1000));
}
console.log(`\n${promiseTable(reports)}`);
const failures = reports.flatMap((report) => report.failures);
console.log(`\n${sentenceOf({ http: 0, rpc: reports.reduce((sum, { replies }) => sum + replies, 0) })}`);
console.log(`${reports.reduce((sum, { cases }) => sum + cases, 0)} cases, ${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
