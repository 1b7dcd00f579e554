import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PromiseSuite, reportOf, runSeed, type SeedOutcome, seedRange, seedsOf } from './suite.ts';

/** The place of reports for the table at the end of `npm test`. */
export const REPORTS_DIR = join(import.meta.dirname, '../../.cache/test-reports/promises');

/** A suite at the size of `npm test`, as one test named after its promises and seeds. */
export function promiseTest(suite: PromiseSuite): void {
  const seeds = seedRange(suite, 'smoke');
  test(`${suite.promises.join(' ')} ${suite.title}, seeds ${seeds}`, { timeout: 600_000 }, async () => {
    const startedAtMs = performance.now();
    const outcomes: SeedOutcome[] = [];
    for (const seed of seedsOf(suite, 'smoke')) outcomes.push(await runSeed(suite, seed, 'smoke'));
    const report = reportOf(suite, seeds, outcomes, (performance.now() - startedAtMs) / 1000);
    mkdirSync(REPORTS_DIR, { recursive: true });
    writeFileSync(join(REPORTS_DIR, `${suite.name}.json`), JSON.stringify(report));
    expect(report.failures).toEqual([]);
    expect(report.cases).toBeGreaterThan(0);
  });
}
