import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BENCH_CATALOGUE,
  BENCH_NAMES,
  BENCH_SIZES,
  type BenchResults,
  type BenchRun,
  type BenchSize,
} from '../../scripts/docs/bench-catalogue.ts';
import { BENCH_HEAD, rowsOf } from '../../scripts/docs/performance-page.ts';
import type { Experiment } from '../experiment.ts';
import { currentCommit, loadNow, PROJECT_DIR, thisMachine, today } from '../result.ts';
import type { OpenScenario, Scenario } from '../scenario.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import { type BenchStage, withStage } from '../stage.ts';
import { type Pair, resultOf } from '../statistics.ts';

/**
 * Measures our speed against the bare limit or a peer, in turn within one run, because the figures of a machine drift but their
 * ratios do not. Needs an otherwise idle machine.
 */
export const bench: Experiment<Record<never, never>, BenchSize> = {
  sizes: BENCH_SIZES,
  choices: { noun: 'scenario', names: BENCH_NAMES },
  options: {},
  head: BENCH_HEAD,
  run: ({ size, names }, report) =>
    withStage(async (stage) => {
      const results: BenchResults = {};
      for (const name of BENCH_NAMES.filter((each) => names.length === 0 || names.includes(each))) {
        const run = await measure(SCENARIOS[name] as unknown as Scenario<never>, stage, size);
        results[name] = run;
        report.publish('performance.json', (kept) => ({ ...kept, [name]: run }));
        for (const row of rowsOf(name, run)) report.row(...row);
      }
      return results;
    }),
};

/** Runs all rounds of a scenario, after the warm-up rounds. */
async function measure(scenario: Scenario<never>, stage: BenchStage, size: BenchSize): Promise<BenchRun> {
  const loadBefore = loadNow();
  const opened: OpenScenario<string> = await scenario.open(stage, size);
  const pairs: Record<string, Pair[]> = Object.fromEntries(Object.keys(BENCH_CATALOGUE[scenario.name]).map((row) => [row, []]));
  try {
    const warmUp = scenario.warmUpRounds[size];
    for (let index = 0; index < warmUp + scenario.rounds[size]; index += 1) {
      const measured = await opened.round(index);
      if (index < warmUp) continue;
      for (const [row, pair] of Object.entries(measured)) pairs[row]?.push(pair);
    }
  } finally {
    await opened.close();
  }
  return {
    rows: Object.fromEntries(Object.entries(pairs).map(([row, taken]) => [row, resultOf(taken)])),
    date: today(),
    commit: currentCommit(),
    machine: thisMachine(),
    versions: versions(),
    load: [loadBefore, loadNow()],
  };
}

/** The software of the bare limits. */
function versions(): Record<string, string> {
  const packages = [
    '@dimforge/rapier3d-compat',
    'three',
    'livekit-client',
    '@livekit/rtc-node',
    'hono',
    'jose',
    'recast-navigation',
  ];
  const versionOf = (name: string): string =>
    JSON.parse(readFileSync(join(PROJECT_DIR, 'node_modules', name, 'package.json'), 'utf8')).version;
  return Object.fromEntries(packages.map((name) => [name, versionOf(name)]));
}
