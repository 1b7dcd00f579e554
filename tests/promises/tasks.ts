import { proveTask } from '../tasks/prove-task.ts';
import { type TaskOnDisk, taskOf, tasksOnDisk } from '../tasks/task-files.ts';
import { type PromiseSuite, reportOf, type Samples, type SeedOutcome, type SuiteSize } from './suite.ts';

/**
 * How often the planner's calls in one world may reach the goal in another. A blind agent knows the task and the ids, but not
 * which thing has which colour in this world: if one of three or four is meant, it is right that often by chance.
 */
const LUCKY_MOST = 0.4;

/** The number of other worlds for the calls of one, at full size: with twenty seeds the rate is then known to some 8 %. */
const OTHER_WORLDS = 5;
/** The number of worlds from which the rate is meaningful. */
const TELLING_WORLDS = 50;

/** By task: the share of other worlds in which a blind agent reached the goal. */
export const luckOf = (samples: Samples): { task: string; worlds: number; rate: number }[] =>
  Object.entries(samples).flatMap(([name, lucky]) =>
    name.startsWith('lucky ')
      ? [
          {
            task: name.slice('lucky '.length),
            worlds: lucky.length,
            rate: lucky.reduce((sum, one) => sum + one, 0) / lucky.length,
          },
        ]
      : [],
  );

/** Returns the tasks in which a blind agent is too lucky; a few worlds are not enough for that. */
export const luckProblems = (samples: Samples): string[] =>
  luckOf(samples)
    .filter(({ worlds, rate }) => worlds >= TELLING_WORLDS && rate > LUCKY_MOST)
    .map(({ task, rate }) => `${task}: a blind agent reaches the goal in ${Math.round(100 * rate)} % of the worlds`);

/** One task in the world of a seed. */
async function proven(onDisk: TaskOnDisk, seed: number, size: SuiteSize): Promise<SeedOutcome> {
  const others = Array.from({ length: size === 'full' ? OTHER_WORLDS : 1 }, (_, at) => seed + 1_000 * (at + 1));
  const { failures, lucky, proofBytes, verifiedTimesRealTime } = await proveTask(taskOf(onDisk), seed, others);
  return {
    cases: 1,
    failures,
    samples: {
      [`lucky ${onDisk.name}`]: others.map((_, at) => (at < lucky ? 1 : 0)),
      proofBytes: [proofBytes],
      verifiedTimesRealTime: [verifiedTimesRealTime],
    },
  };
}

/** A suite for each task of the product, to run one of them in many worlds. */
export const oneTaskSuites: readonly PromiseSuite[] = tasksOnDisk.map((onDisk) => ({
  name: `task-${onDisk.name}`,
  promises: ['P12'],
  title: onDisk.name,
  seeds: { smoke: 1, full: 20 },
  run: (seed, size) => proven(onDisk, seed, size),
  verdict: luckProblems,
}));

/** Every task of the product, in the worlds of many seeds. */
export const tasksSuite: PromiseSuite = {
  name: 'tasks',
  promises: ['P12'],
  title:
    'tasks: solved by the planner, not by doing nothing or blindly, judged alike by the oracle; each proof is true, and not with a byte changed',
  seeds: { smoke: 1, full: 20 },
  async run(seed, size) {
    const outcomes: SeedOutcome[] = [];
    for (const onDisk of tasksOnDisk) outcomes.push(await proven(onDisk, seed, size));
    const { cases, failures, samples } = reportOf(tasksSuite, `${seed}`, outcomes, 0);
    return { cases, failures, samples };
  },
  summary({ proofBytes = [], verifiedTimesRealTime: speeds = [] }) {
    const mean = speeds.reduce((sum, speed) => sum + speed, 0) / Math.max(1, speeds.length);
    return `cases are runs; proofs of at most ${Math.max(0, ...proofBytes)} bytes, told again ${mean.toFixed(0)} times faster than real time`;
  },
  verdict: luckProblems,
};
