/** Prints the table per promise of the last `npm test`, from the reports its suites have left. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteReport } from './suite.ts';
import { countByPromise, promiseTable } from './table.ts';

const reportsDir = join(import.meta.dirname, '../../.cache/test-reports');
const read = (path: string) => JSON.parse(readFileSync(join(reportsDir, path), 'utf8'));

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: { title: string; ok: boolean }[];
}

const specsOf = ({ suites = [], specs = [] }: PlaywrightSuite): { title: string; ok: boolean }[] => [
  ...specs,
  ...suites.flatMap(specsOf),
];

function namedTests(): { name: string; passed: boolean }[] {
  const tests: { name: string; passed: boolean }[] = [];
  if (existsSync(join(reportsDir, 'vitest.json'))) {
    const files = read('vitest.json').testResults as { assertionResults: { title: string; status: string }[] }[];
    for (const { assertionResults } of files)
      for (const { title, status } of assertionResults) tests.push({ name: title, passed: status === 'passed' });
  }
  if (existsSync(join(reportsDir, 'playwright.json')))
    for (const { title, ok } of specsOf(read('playwright.json'))) tests.push({ name: title, passed: ok });
  return tests;
}

const promisesDir = join(reportsDir, 'promises');
const reports = existsSync(promisesDir) ? readdirSync(promisesDir).map((file): SuiteReport => read(join('promises', file))) : [];
console.log(promiseTable(reports, countByPromise(namedTests())));
