import type { RobotId } from '../protocol/robot.ts';
import type { TaskFile } from '../protocol/task-file.ts';
import { createRandom, nextFloat } from '../simulation/random.ts';
import type { Physics } from '../simulation/sim-world.ts';
import { createWorld, disposeWorld } from '../simulation/world.ts';
import { createNode } from './judged-node.ts';
import { createObserver, regionsOf } from './judged-view.ts';

/** Seeds that are tried for one run. What a task takes for given is then found although only one world in two hundred has it. */
const TRIES = 4_000;
/** Mixed into the seed of the run for the row of seeds that are tried, which so has nothing to do with what the worlds draw. */
const ROW_STREAM = 0x5bd1e995;
const SEEDS = 2 ** 32;

/** What decides the world of a run. A proof has it in these very properties. */
export interface RunStart {
  /** Absent: a run without a task. */
  task?: TaskFile | undefined;
  robot: RobotId;
  /** Seed of the run. */
  seed: number;
}

/**
 * Returns the seed of the world of a run: the run's own, or the next of its row in which everything holds that the task takes for given.
 * @throws RangeError when there is none
 */
export function worldSeed(rapier: Physics, { task, robot: robotId, seed: runSeed }: RunStart): number {
  let seed = runSeed >>> 0;
  if (task?.given === undefined) return seed;
  const row = createRandom(seed ^ ROW_STREAM);
  for (let turn = 0; turn < TRIES; turn += 1) {
    const world = createWorld(rapier, { seed, sceneId: task.scene, robotId });
    const node = createNode(task.given, 'given', regionsOf(task, world.scene));
    node.look(createObserver().look(world, 0));
    disposeWorld(world);
    if (node.holds) return seed;
    seed = Math.floor(nextFloat(row) * SEEDS);
  }
  throw new RangeError(
    `The task ${task.id} takes for given what none of ${TRIES} worlds has. A seed draws the colours of cubes: where one must keep its colour, give it "keeps_color": true in the scene file.`,
  );
}
