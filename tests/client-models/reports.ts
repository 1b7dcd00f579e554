/** The counts of passed replies in each process of a run, summed up at its end. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReplyCounts, takeCounts } from './check.ts';

const REPORTS_DIR = join(import.meta.dirname, '../../.cache/test-reports/client-models');

/** Records what passed in this process since the last time. */
export function reportCounts(): void {
  const taken = takeCounts();
  if (taken.http + taken.rpc === 0) return;
  mkdirSync(REPORTS_DIR, { recursive: true });
  writeFileSync(join(REPORTS_DIR, `${randomUUID()}.json`), JSON.stringify(taken));
}

/** Returns the sum over all processes of a run. */
export function readReports(): ReplyCounts {
  const sum: ReplyCounts = { http: 0, rpc: 0 };
  mkdirSync(REPORTS_DIR, { recursive: true });
  for (const file of readdirSync(REPORTS_DIR)) {
    const { http, rpc } = JSON.parse(readFileSync(join(REPORTS_DIR, file), 'utf8')) as ReplyCounts;
    sum.http += http;
    sum.rpc += rpc;
  }
  return sum;
}
