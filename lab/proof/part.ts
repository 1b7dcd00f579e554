/** The interface of a part of the proof by volume: slices that run one after the other until a size is reached. */
import type { ProofName, ProofSize, TimesMs } from '../../scripts/docs/proof-catalogue.ts';

/** The outcome of one slice. */
export interface SliceOutcome {
  /** How many of the part's units it did. */
  done: number;
  /** Judged cases, if they differ from units. @default done */
  cases?: number;
  /** Broken promises, each a sentence that describes the observation and how to reproduce it. */
  failures: string[];
  /** Measured times by name, in milliseconds. */
  timesMs?: Record<string, number[]>;
  /** Other measured values by name, with the unit in the name. */
  samples?: Record<string, number[]>;
}

/** A prepared part that runs slices. */
export interface ProofBench {
  /** Runs one slice. Equal numbers do the same. An exception counts as a failure, and the bench is set up again. */
  run(slice: number): Promise<SliceOutcome>;
  close(): Promise<void>;
}

export interface ProofPart {
  name: ProofName;
  /** Slices follow each other on one bench and never run in parallel, because growth over all of them is judged. */
  isOneBench?: boolean;
  /** Sets up what slices need: servers, a browser. */
  open(size: ProofSize): Promise<ProofBench>;
  /** Returns the measurements over all slices, in a sentence. */
  measured?(outcomes: readonly SliceOutcome[]): string;
  /** Judges all slices together; one sentence per breach. */
  verdict?(outcomes: readonly SliceOutcome[]): string[];
}

/** Returns the value below which this share of a sorted list lies; the largest for a share of 1. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;

/** Median, 95 % and largest of some times. */
export function timesOf(valuesMs: readonly number[]): TimesMs {
  const sorted = [...valuesMs].sort((a, b) => a - b);
  return { count: sorted.length, median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), max: quantile(sorted, 1) };
}

/** All values of a sample or a time, slice after slice. */
export function valuesOf(outcomes: readonly SliceOutcome[], of: 'timesMs' | 'samples', name: string): number[] {
  return outcomes.flatMap((outcome) => outcome[of]?.[name] ?? []);
}

/** All names that slices have given to times or samples. */
export const namesOf = (outcomes: readonly SliceOutcome[], of: 'timesMs' | 'samples'): string[] => [
  ...new Set(outcomes.flatMap((outcome) => Object.keys(outcome[of] ?? {}))),
];
