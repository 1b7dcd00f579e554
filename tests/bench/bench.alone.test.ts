/** The command that measures speed: it runs, and its page says what it measured. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../../bench/scenarios/index.ts';
import { figuresOf, resultOf } from '../../bench/statistics.ts';
import { BENCH_CATALOGUE, BENCH_NAMES, type BenchRun } from '../../scripts/docs/bench-catalogue.ts';
import type { FramesResult } from '../../scripts/docs/frames-catalogue.ts';
import { LINE_CASES } from '../../scripts/docs/line-catalogue.ts';
import { performancePage, rowsOf } from '../../scripts/docs/performance-page.ts';

const PROJECT_DIR = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const bench = (...args: string[]) =>
  run(process.execPath, ['--import', '@oxc-node/core/register', 'bench/run.ts', ...args], { cwd: PROJECT_DIR, maxBuffer: 1e8 });

/** Those that need neither a browser nor a platform. The others run each night, by `deploy/nightly.yml`. */
const QUICK = ['step', 'headless', 'ticks', 'planner'] as const;

it('npm run bench measures every row of a scenario', async () => {
  const { stdout } = await bench('--size', 'smoke', ...QUICK);
  const rows = stdout.split('\n').filter((line) => line.startsWith('`'));
  const wanted = QUICK.flatMap((name) => Object.values(BENCH_CATALOGUE[name]).map(({ ours }) => `\`${name}\` | ${ours}`));
  expect(rows.map((row) => row.split(' | ').slice(0, 2).join(' | '))).toEqual(wanted);
  for (const row of rows) expect(row).not.toMatch(/NaN|Infinity|not run/);
}, 600_000);

it('every scenario of the catalogue can be run', () => {
  expect(Object.keys(SCENARIOS).toSorted()).toEqual(BENCH_NAMES.toSorted());
  for (const name of BENCH_NAMES) expect(SCENARIOS[name].rounds.smoke).toBeGreaterThan(0);
});

it('a scenario that does not exist is refused by name', async () => {
  const refused = await bench('flight').catch((error: { code: number; stderr: string }) => error);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no scenario flight.') });
});

describe('the figures', () => {
  it('are the median and the 99th of 100', () => {
    expect(figuresOf(Array.from({ length: 101 }, (_, index) => 100 - index))).toEqual({ median: 50, p99: 99 });
  });

  it('have a ratio of the medians within its interval, the same each time', () => {
    const pairs = Array.from({ length: 50 }, (_, index) => ({ ours: 20 + (index % 7), bare: 10 + (index % 3) }));
    const result = resultOf(pairs);
    const { median = 0, low = 0, high = 0 } = result.ratio ?? {};
    expect(median).toBeCloseTo(23 / 11);
    expect(low).toBeLessThanOrEqual(median);
    expect(high).toBeGreaterThanOrEqual(median);
    expect(resultOf(pairs)).toEqual(result);
  });

  it('have no ratio to nothing', () => {
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

  it('says of each row whether it meets its aim', () => {
    expect(rowsOf('invoke', measured)[0]?.slice(3)).toEqual([
      '12.0 ms, 20.0 ms',
      '10.0 ms',
      '1.20 (1.10 to 1.30), 9 pairs',
      'ratio ≤ 1.1: **not met**',
      '2026-11-22, `abc1234`, 0 to 1',
    ]);
  });

  const measuredFrames: FramesResult = JSON.parse(readFileSync(resolve(PROJECT_DIR, 'docs/frames.json'), 'utf8'));

  it('says what was not run', () => {
    expect(performancePage('', {}, measuredFrames, null).match(/\*\*not run\*\*/g)).toHaveLength(
      BENCH_NAMES.flatMap((name) => Object.keys(BENCH_CATALOGUE[name])).length + Object.keys(LINE_CASES).length,
    );
  });
});
