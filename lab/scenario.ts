import type { BenchRowName, BenchScenarioName, BenchSize } from '../scripts/docs/bench-catalogue.ts';
import type { BenchStage } from './stage.ts';
import type { Pair } from './statistics.ts';

/** A prepared scenario: each round measures every row once, ours and bare in turn. */
export interface OpenScenario<Row extends string> {
  round(index: number): Promise<Record<Row, Pair>>;
  close(): Promise<void>;
}

/** One measurement of `npm run lab -- bench NAME`. */
export interface Scenario<Name extends BenchScenarioName> {
  name: Name;
  /** Rounds that count, after the warm-up rounds. */
  rounds: Record<BenchSize, number>;
  warmUpRounds: Record<BenchSize, number>;
  open(stage: BenchStage, size: BenchSize): Promise<OpenScenario<BenchRowName<Name>>>;
}

/** Returns how long the work takes, in milliseconds. */
export async function timedMs(act: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return performance.now() - startedAtMs;
}
