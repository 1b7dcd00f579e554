import { BENCH_SIZES, type BenchSize } from '../../scripts/docs/bench-catalogue.ts';
import { NETWORK_CASES, NETWORK_HEAD, type NetworkResults, networkRowOf } from '../../scripts/docs/network-catalogue.ts';
import type { Experiment } from '../experiment.ts';
import { measureNetwork } from '../network/measure.ts';
import { openStand } from '../network/stand.ts';
import { currentCommit, loadNow, thisMachine, today } from '../result.ts';
import { withStage } from '../stage.ts';

const SEED = 7;
const RIDE_MS: Record<BenchSize, number> = { smoke: 2_000, full: 5_000 };
const SMOKE_NETWORKS = 2;

/** Runs over bad lines, one after the other. If a line ends a stream of poses, that is a result rather than a failure. */
export const line: Experiment<Record<never, never>, BenchSize> = {
  sizes: BENCH_SIZES,
  options: {},
  head: NETWORK_HEAD,
  run: ({ size }, report) =>
    withStage(async (stage) => {
      const loadBefore = loadNow();
      const stand = await openStand(await (await stage.platform()).newRobot(), SEED);
      const cases: NetworkResults['cases'] = {};
      try {
        const all = Object.entries(NETWORK_CASES);
        for (const [name, conditions] of size === 'full' ? all : all.slice(0, SMOKE_NETWORKS)) {
          const result = await measureNetwork(stand, conditions, RIDE_MS[size]);
          cases[name] = result;
          report.row(...networkRowOf(name, result));
        }
      } finally {
        await stand.close();
      }
      const results: NetworkResults = {
        date: today(),
        commit: currentCommit(),
        machine: thisMachine(),
        load: [loadBefore, loadNow()],
        cases,
      };
      report.publish('line.json', () => results);
      return results;
    }),
};
