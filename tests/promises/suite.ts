/**
 * The shape of a promise's proof: many seeded runs, judged one by one, counted in one table. A suite runs small in `npm test` and
 * at full size in `npm run lab -- storm`; a seed that ever failed stays among its regressions.
 */

import { countsNow, takeProblems } from '../client-models/check.ts';

export type PromiseId = `P${number}`;

/** `smoke` as in `npm test`, `full` as in `npm run lab -- storm`. */
export type SuiteSize = 'smoke' | 'full';

/** The outcome of one seed. */
export interface SeedOutcome {
  /** Judged cases: ended actions, walks, replies, or any other unit of the suite. */
  cases: number;
  /** Broken promises, each a sentence with the request and the observation. */
  failures: string[];
  /** Replies that passed the client models; `runSeed` counts them. */
  replies?: number;
  /** Measured values by name, with the unit in the name; the suite's `summary` and `verdict` see those of all seeds together. */
  samples?: Record<string, number[]>;
}

export interface PromiseSuite {
  /** File name of its report and its name on the command line: short, with dashes. */
  name: string;
  promises: readonly PromiseId[];
  /** The judged thing, in a few words. */
  title: string;
  /** How many seeds, counted from 1. */
  seeds: { smoke: number; full: number };
  /** Seeds that once failed; they run at every size. */
  regressions?: readonly { seed: number; was: string }[];
  /** One seed, from a new world. Equal seeds give equal outcomes. The size matters if one run is a long one. */
  run(seed: number, size: SuiteSize): Promise<SeedOutcome>;
  /** Figures for the report, from all samples. */
  summary?(samples: Samples): string;
  /** Judges all seeds together, such as a success rate; a sentence per breach. */
  verdict?(samples: Samples): string[];
}

export type Samples = Record<string, number[]>;

export interface SuiteReport {
  name: string;
  promises: readonly PromiseId[];
  title: string;
  seeds: string;
  cases: number;
  /** How many replies passed the client models. */
  replies: number;
  failures: string[];
  summary: string;
  samples: Samples;
  wallS: number;
}

/** The seeds of a size, regressions first. */
export function seedsOf(suite: PromiseSuite, size: SuiteSize): number[] {
  const counted = Array.from({ length: suite.seeds[size] }, (_, i) => i + 1);
  const kept = (suite.regressions ?? []).map(({ seed }) => seed).filter((seed) => seed > counted.length);
  return [...kept, ...counted];
}

/** How a report names its seeds. */
export function seedRange(suite: PromiseSuite, size: SuiteSize): string {
  const kept = (suite.regressions ?? []).map(({ seed }) => seed).filter((seed) => seed > suite.seeds[size]);
  return [`1–${suite.seeds[size]}`, ...kept].join(', ');
}

/** Runs one seed; an exception is a broken promise like any other. */
export async function runSeed(suite: PromiseSuite, seed: number, size: SuiteSize): Promise<SeedOutcome> {
  const before = countsNow().rpc;
  try {
    const outcome = await suite.run(seed, size);
    const failures = [...outcome.failures, ...takeProblems()];
    return { ...outcome, replies: countsNow().rpc - before, failures: failures.map((what) => `seed ${seed}: ${what}`) };
  } catch (fault) {
    const what = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    return { cases: 1, replies: countsNow().rpc - before, failures: [`seed ${seed}: ${what}`] };
  }
}

/** Outcomes of all seeds as one report. */
export function reportOf(suite: PromiseSuite, seeds: string, outcomes: readonly SeedOutcome[], wallS: number): SuiteReport {
  const samples: Samples = {};
  for (const outcome of outcomes) {
    for (const [name, values] of Object.entries(outcome.samples ?? {})) {
      samples[name] ??= [];
      for (const value of values) samples[name].push(value);
    }
  }
  return {
    name: suite.name,
    promises: suite.promises,
    title: suite.title,
    seeds,
    cases: outcomes.reduce((sum, { cases }) => sum + cases, 0),
    replies: outcomes.reduce((sum, { replies = 0 }) => sum + replies, 0),
    failures: [...outcomes.flatMap(({ failures }) => failures), ...(suite.verdict?.(samples) ?? [])],
    summary: suite.summary?.(samples) ?? '',
    samples,
    wallS,
  };
}
