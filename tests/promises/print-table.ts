/** Prints the table per promise of the last `npm test`, from the reports of its suites. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteReport } from './suite.ts';
import { countByPromise, promiseTable } from './table.ts';

const reportsDir = join(import.meta.dirname, '../../.cache/test-reports');
const read = (path: string) => JSON.parse(readFileSync(join(reportsDir, path), 'utf8'));

interface VitestReport {
  testResults: { assertionResults: { title: string; status: string }[] }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: { title: string; ok: boolean }[];
}

const specsOf = ({ suites = [], specs = [] }: PlaywrightSuite): { title: string; ok: boolean }[] => [
  ...specs,
  ...suites.flatMap(specsOf),
];

/** Reads all reports of a runner; each of its projects leaves one. */
const reportsOf = (runner: string) =>
  existsSync(reportsDir)
    ? readdirSync(reportsDir)
        .filter((file) => file.startsWith(runner) && file.endsWith('.json'))
        .map(read)
    : [];

function namedTests(): { name: string; passed: boolean }[] {
  const tests: { name: string; passed: boolean }[] = [];
  for (const { testResults } of reportsOf('vitest') as VitestReport[])
    for (const { assertionResults } of testResults)
      for (const { title, status } of assertionResults) tests.push({ name: title, passed: status === 'passed' });
  for (const report of reportsOf('playwright') as PlaywrightSuite[])
    for (const { title, ok } of specsOf(report)) tests.push({ name: title, passed: ok });
  return tests;
}

const promisesDir = join(reportsDir, 'promises');
const reports = existsSync(promisesDir) ? readdirSync(promisesDir).map((file): SuiteReport => read(join('promises', file))) : [];
console.log(promiseTable(reports, countByPromise(namedTests())));
