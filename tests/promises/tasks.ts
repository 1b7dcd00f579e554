import { judgedAlike } from '../tasks/judged-alike.ts';
import { proveTask } from '../tasks/prove-task.ts';
import { taskOf, tasksOnDisk } from '../tasks/task-files.ts';
import type { PromiseSuite } from './suite.ts';

/** How often what the planner called in one world may reach the goal in another: below this it is luck. */
const LUCKY_MOST = 0.4;

/** Every task that comes with the product, in the worlds of many seeds. */
export const tasksSuite: PromiseSuite = {
  name: 'tasks',
  promises: ['P12'],
  title: 'tasks: solved by the planner, not by doing nothing or blindly, judged alike by the oracle; each proof is true',
  seeds: { ci: 1, full: 20 },
  async run(seed) {
    const failures: string[] = [];
    const samples: Record<string, number[]> = { proofBytes: [], verifiedTimesRealTime: [] };
    for (const onDisk of tasksOnDisk) {
      const proven = await proveTask(taskOf(onDisk), seed, [seed + 1_000]);
      failures.push(...proven.failures, ...(await judgedAlike(taskOf(onDisk), seed)).differences);
      samples[`lucky ${onDisk.name}`] = [proven.lucky];
      samples.proofBytes?.push(proven.proofBytes);
      samples.verifiedTimesRealTime?.push(proven.verifiedTimesRealTime);
    }
    return { cases: tasksOnDisk.length, failures, samples };
  },
  summary({ proofBytes = [], verifiedTimesRealTime: speeds = [] }) {
    const mean = speeds.reduce((sum, speed) => sum + speed, 0) / Math.max(1, speeds.length);
    return `cases are runs; proofs of at most ${Math.max(0, ...proofBytes)} bytes, told again ${mean.toFixed(0)} times faster than real time`;
  },
  verdict(samples) {
    return Object.entries(samples).flatMap(([name, lucky]) => {
      if (!name.startsWith('lucky ') || lucky.length < 10) return [];
      const rate = lucky.reduce((sum, one) => sum + one, 0) / lucky.length;
      return rate > LUCKY_MOST ? [`${name}: a blind agent reaches the goal in ${Math.round(100 * rate)} % of the worlds`] : [];
    });
  },
};
