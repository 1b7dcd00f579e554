import type { RobotId } from '../protocol/robot.ts';
import type { TaskFile } from '../protocol/task-file.ts';
import type { Physics } from '../simulation/sim-world.ts';
import { createWorld, disposeWorld } from '../simulation/world.ts';
import { createNode } from './judged-node.ts';
import { createObserver, regionsOf } from './judged-view.ts';

/** Seeds that are tried for one run. What a task takes for given should not be rarer than one in twenty worlds. */
const TRIES = 400;
/** Between the seeds that are tried: far apart, so that runs of neighbouring seeds do not meet in the same world. */
const STRIDE = 0x9e3779b1;

/**
 * Returns the seed of the world for a run of a task: the run's own, or the next of its row in which everything holds that the task takes for
 * given.
 * @throws RangeError when there is none
 */
export function worldSeed(rapier: Physics, task: TaskFile, robotId: RobotId, runSeed: number): number {
  const { given } = task;
  let seed = runSeed >>> 0;
  if (given === undefined) return seed;
  for (let turn = 0; turn < TRIES; turn += 1) {
    const world = createWorld(rapier, { seed, sceneId: task.scene, robotId });
    const node = createNode(given, 'given', regionsOf(task, world.scene));
    node.look(createObserver().look(world, 0));
    disposeWorld(world);
    if (node.holds) return seed;
    seed = (seed + STRIDE) >>> 0;
  }
  throw new RangeError(`The task ${task.id} takes for given what none of ${TRIES} worlds has.`);
}
