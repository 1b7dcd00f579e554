import { BENCH_SIZES, type BenchSize } from '../../scripts/docs/bench-catalogue.ts';
import { LINE_CASES, LINE_HEAD, type LineResults, lineRowOf } from '../../scripts/docs/line-catalogue.ts';
import type { Experiment } from '../experiment.ts';
import { measureLine } from '../line/measure.ts';
import { openStand } from '../line/stand.ts';
import { currentCommit, loadNow, thisMachine, today } from '../result.ts';
import { withStage } from '../stage.ts';

const SEED = 7;
const RIDE_MS: Record<BenchSize, number> = { smoke: 2_000, full: 5_000 };
const SMOKE_LINES = 2;

/** Runs over bad lines, one after the other. If a line ends a stream of poses, that is a result rather than a failure. */
export const line: Experiment<Record<never, never>, BenchSize> = {
  sizes: BENCH_SIZES,
  options: {},
  head: LINE_HEAD,
  run: ({ size }, report) =>
    withStage(async (stage) => {
      const loadBefore = loadNow();
      const stand = await openStand(await (await stage.platform()).newRobot(), SEED);
      const cases: LineResults['cases'] = {};
      try {
        const all = Object.entries(LINE_CASES);
        for (const [name, conditions] of size === 'full' ? all : all.slice(0, SMOKE_LINES)) {
          const result = await measureLine(stand, conditions, RIDE_MS[size]);
          cases[name] = result;
          report.row(...lineRowOf(name, result));
        }
      } finally {
        await stand.close();
      }
      const results: LineResults = {
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
