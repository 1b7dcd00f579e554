/** Figures of the benchmark, and the page of the manual that shows them. */
import { describe, expect, it } from 'vitest';
import { figuresOf, resultOf } from '../../lab/statistics.ts';
import { BENCH_CATALOGUE, BENCH_NAMES, type BenchRun } from '../../scripts/docs/bench-catalogue.ts';
import { NETWORK_CASES } from '../../scripts/docs/network-catalogue.ts';
import { performancePart, rowsOf } from '../../scripts/docs/performance-page.ts';
import { readPublished } from '../../scripts/docs/result-pages.ts';

describe('the figures', () => {
  it('the figures are the median and the 99th of 100', () => {
    expect(figuresOf(Array.from({ length: 101 }, (_, index) => 100 - index))).toEqual({ median: 50, p99: 99 });
  });

  it('the figures have a reproducible ratio of the medians within its interval', () => {
    const pairs = Array.from({ length: 50 }, (_, index) => ({ ours: 20 + (index % 7), bare: 10 + (index % 3) }));
    const result = resultOf(pairs);
    const { median = 0, low = 0, high = 0 } = result.ratio ?? {};
    expect(median).toBeCloseTo(23 / 11);
    expect(low).toBeLessThanOrEqual(median);
    expect(high).toBeGreaterThanOrEqual(median);
    expect(resultOf(pairs)).toEqual(result);
  });

  it('the figures have no ratio if there is nothing to compare with', () => {
    expect(resultOf([{ ours: 0.1, bare: 0 }]).ratio).toBeNull();
    expect(resultOf([{ ours: 0, bare: 0 }]).ratio).toBeNull();
  });
});

describe('the page', () => {
  const result = {
    rounds: 9,
    ours: { median: 12, p99: 20 },
    bare: { median: 10, p99: 11 },
    ratio: { median: 1.2, low: 1.1, high: 1.3 },
  };
  const measured: BenchRun = {
    rows: { instant: result },
    date: '2026-11-22',
    commit: 'abc1234',
    machine: 'a machine',
    versions: { hono: '4' },
    load: [0, 1],
  };

  it('the page shows for each row whether it meets its target', () => {
    expect(rowsOf('invoke', measured)[0]?.slice(3)).toEqual([
      '12.0 ms, 20.0 ms',
      '10.0 ms',
      '1.20 (1.10 to 1.30), 9 pairs',
      'ratio ≤ 1.1: **not met**',
      '2026-11-22, `abc1234`, 0 to 1',
    ]);
  });

  it('the page lists what was not run', () => {
    expect(performancePart({}, readPublished('frames.json'), null).match(/\*\*not run\*\*/g)).toHaveLength(
      BENCH_NAMES.flatMap((name) => Object.keys(BENCH_CATALOGUE[name])).length + Object.keys(NETWORK_CASES).length,
    );
  });
});
