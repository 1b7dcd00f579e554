import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT_DIR } from '../../../scripts/compiled.mjs';
import { betaShare, isBelow, passHatK, runsToDecide, successInterval } from '../../../src/headless/eval/statistics.ts';

/** The integral of x^(a-1) (1-x)^(b-1) by Simpson's rule: another way to the same number. */
function betaShareBySimpson(x: number, a: number, b: number): number {
  const density = (at: number): number => at ** (a - 1) * (1 - at) ** (b - 1);
  const area = (to: number): number => {
    const parts = 2_000;
    const width = to / parts;
    let sum = density(0) + density(to);
    for (let at = 1; at < parts; at += 1) sum += density(at * width) * (at % 2 === 1 ? 4 : 2);
    return (sum * width) / 3;
  };
  return area(x) / area(1);
}

describe('statistics of runs', () => {
  it('the share of a Beta distribution is its integral', () => {
    for (const [x, a, b] of [
      [0.3, 1, 1],
      [0.5, 2, 5],
      [0.9, 8, 2],
      [0.2, 3, 40],
      [0.71, 15, 6],
    ] as const)
      expect(betaShare(x, a, b)).toBeCloseTo(betaShareBySimpson(x, a, b), 8);
  });

  it('the interval of a rate is the known one, also at the ends and for many runs', () => {
    // R: qbeta(c(.025, .975), passed + 1, runs - passed + 1); 0 if no run passed, 1 if all did.
    for (const [passed, runs, low, high] of [
      [0, 0, 0, 1],
      [2, 2, 0.2924, 1],
      [0, 10, 0, 0.2849],
      [7, 10, 0.3903, 0.8907],
      [20, 20, 0.8389, 1],
    ] as const) {
      const interval = successInterval(passed, runs);
      expect([interval.low, interval.high].map((bound) => bound.toFixed(4))).toEqual([low.toFixed(4), high.toFixed(4)]);
    }
    const many = successInterval(5_000, 10_000);
    expect(many.high - many.low).toBeCloseTo(2 * 1.96 * Math.sqrt(0.25 / 10_000), 3);
  });

  it('the interval contains the rate, and has the closed form of its inner bound if all runs ended alike', () => {
    for (let runs = 1; runs <= 20; runs += 1) {
      for (let passed = 0; passed <= runs; passed += 1) {
        const { low, high } = successInterval(passed, runs);
        expect(low, `${passed} of ${runs}`).toBeLessThanOrEqual(passed / runs);
        expect(high, `${passed} of ${runs}`).toBeGreaterThanOrEqual(passed / runs);
        expect(betaShareBySimpson(high, passed + 1, runs - passed + 1) - betaShareBySimpson(low, passed + 1, runs - passed + 1))
          // Simpson's rule is exact to 1e-4 here.
          .toBeGreaterThan(0.95 - 1e-4);
      }
      // Beta(runs + 1, 1) is distributed as x^(runs + 1).
      const bound = 0.025 ** (1 / (runs + 1));
      expect(successInterval(runs, runs).low).toBeCloseTo(bound, 12);
      expect(successInterval(0, runs).high).toBeCloseTo(1 - bound, 12);
      expect([successInterval(0, runs).low, successInterval(runs, runs).high]).toEqual([0, 1]);
    }
  });

  it('pass^k is the share of choices of k runs that all passed, counted one by one', () => {
    for (const [passed, runs, k] of [
      [3, 5, 2],
      [5, 5, 4],
      [1, 6, 2],
      [4, 7, 3],
    ] as const) {
      const outcomes = Array.from({ length: runs }, (_, at) => at < passed);
      const choices = Array.from({ length: 2 ** runs }, (_, bits) => outcomes.filter((_one, at) => (bits >> at) & 1));
      const ofK = choices.filter(({ length }) => length === k);
      expect(passHatK(passed, runs, k)).toBeCloseTo(ofK.filter((chosen) => chosen.every(Boolean)).length / ofK.length, 12);
    }
    expect(passHatK(3, 3, 4)).toBeNull();
  });

  it('the number of runs that distinguishes two rates is the smallest at which their intervals lie apart', () => {
    const all = { passed: 2, runs: 2 };
    const none = { passed: 0, runs: 2 };
    expect(runsToDecide(all, none)).toBe(5);
    expect(isBelow(successInterval(0, 4), successInterval(4, 4))).toBe(false);
    expect(isBelow(successInterval(0, 5), successInterval(5, 5))).toBe(true);
    const half = runsToDecide(all, { passed: 3, runs: 6 }) ?? 0;
    const isReported = (runs: number) => isBelow(successInterval(Math.ceil(runs / 2), runs), successInterval(runs, runs));
    expect([half - 1, half].map(isReported)).toEqual([false, true]);
    // Only thousands of runs distinguish one in a hundred from two, and no number distinguishes a rate from itself.
    expect(runsToDecide({ passed: 2, runs: 100 }, { passed: 1, runs: 100 })).toBeNull();
    expect(runsToDecide(none, none)).toBeNull();
  });

  it('the manual lists the best result that is worse than a baseline in which every run passed', () => {
    const rows =
      readFileSync(join(ROOT_DIR, 'docs/evaluate.md'), 'utf8').match(/^\| (?:seeds|runs that pass, at most) \|.*$/gm) ?? [];
    const [seeds = [], passed = []] = rows.map((row) =>
      row
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim()),
    );
    expect([seeds[0], passed[0]]).toEqual(['2 to 4', 'no result is worse']);
    for (const runs of [2, 3, 4]) expect(isBelow(successInterval(0, runs), successInterval(runs, runs))).toBe(false);
    for (const [at, runs] of seeds.slice(1).map(Number).entries()) {
      const most = Number(passed[at + 1]);
      const isReported = [most, most + 1].map((count) => isBelow(successInterval(count, runs), successInterval(runs, runs)));
      expect(isReported, `${runs} seeds`).toEqual([true, false]);
    }
  });

  it('intervals that touch do not lie apart', () => {
    expect(isBelow({ low: 0, high: 0.5 }, { low: 0.5, high: 1 })).toBe(false);
    expect(isBelow({ low: 0, high: 0.5 }, { low: 0.6, high: 1 })).toBe(true);
  });
});
