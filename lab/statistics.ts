import type { BenchFigures, BenchResult } from '../scripts/docs/bench-catalogue.ts';
import { createRandom, nextFloat } from '../src/simulation/random.ts';

/** One measurement of ours and one of its reference, taken one after the other. In the unit of their row. */
export interface Pair {
  ours: number;
  bare: number;
}

const RESAMPLES = 1_000;
const RESAMPLE_SEED = 1;

/** @returns NaN without samples */
function quantile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

const ascending = (samples: readonly number[]): number[] => [...samples].sort((a, b) => a - b);
const medianOf = (samples: readonly number[]): number => quantile(ascending(samples), 0.5);

export function figuresOf(samples: readonly number[]): BenchFigures {
  const sorted = ascending(samples);
  return { median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

const ratioOf = (pairs: readonly Pair[]): number =>
  medianOf(pairs.map(({ ours }) => ours)) / medianOf(pairs.map(({ bare }) => bare));

/**
 * The interval of the ratio is a percentile bootstrap over pairs (Efron 1979), because a disturbance affects both measurements of
 * a pair.
 */
export function resultOf(pairs: readonly Pair[]): BenchResult {
  const random = createRandom(RESAMPLE_SEED);
  const drawn = (): Pair => pairs[Math.floor(nextFloat(random) * pairs.length)] as Pair;
  const ratios = ascending(Array.from({ length: RESAMPLES }, () => ratioOf(pairs.map(drawn))));
  const ratio = { median: ratioOf(pairs), low: quantile(ratios, 0.025), high: quantile(ratios, 0.975) };
  return {
    rounds: pairs.length,
    ours: figuresOf(pairs.map(({ ours }) => ours)),
    bare: figuresOf(pairs.map(({ bare }) => bare)),
    ratio: Object.values(ratio).every(Number.isFinite) ? ratio : null,
  };
}
