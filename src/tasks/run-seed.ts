import type { TaskFile } from '../protocol/files/task-file.ts';
import type { RobotId } from '../protocol/wire/robot.ts';
import { createRandom, nextFloat } from '../simulation/random.ts';
import type { Scenes } from '../simulation/scene.ts';
import { LOOKS_MAX } from '../simulation/variation/lay-out.ts';
import { createNode } from './judged-node.ts';
import { regionsOf, viewOfStart } from './judged-view.ts';

/** Seeds that are tried for one run. What a task takes for given is then found although only one world in two hundred has it. */
const TRIES = 4_000;
/** Places that are looked at for the layouts of all of them: a layout of the product's scenes needs about ten. */
const LOOKS_IN_ALL = 60_000;
/** Pairs of things that the predicates compare in all of them; a predicate may compare each thing with each. */
const PAIRS_IN_ALL = 20_000_000;
/** Mixed into the seed of the run for the row of seeds that are tried, which so has nothing to do with what the worlds draw. */
const ROW_STREAM = 0x5bd1e995;
const SEEDS = 2 ** 32;

/** The values that determine the world of a run. A proof has exactly these properties. */
export interface RunStart {
  /** Absent: a run without a task. */
  task?: TaskFile | undefined;
  robot: RobotId;
  /** Seed of the run. */
  seed: number;
}

/**
 * Returns the seed of the world of a run: the run's own, or the next of its row in which everything holds that the task takes for given.
 * Decides it without building a world, within bounds that are the same for a run and for its re-simulation.
 * @throws RangeError when there is none
 */
export function worldSeed({ task, seed: runSeed }: RunStart, scenes: Scenes): number {
  let seed = runSeed >>> 0;
  const scene = task && scenes.byId(task.scene);
  if (task?.given === undefined || !scene) return seed;
  const row = createRandom(seed ^ ROW_STREAM);
  const regions = regionsOf(task, scene);
  const predicates = createNode(task.given, 'given', regions).reports().length;
  let looksLeft = LOOKS_IN_ALL;
  let pairsLeft = PAIRS_IN_ALL;
  let tries = 0;
  for (; tries < TRIES && looksLeft >= LOOKS_MAX && pairsLeft > 0; tries += 1) {
    const looks = { left: LOOKS_MAX };
    const node = createNode(task.given, 'given', regions);
    const view = viewOfStart(scene, seed, looks);
    node.look(view);
    if (node.holds) return seed;
    looksLeft -= LOOKS_MAX - looks.left;
    pairsLeft -= predicates * view.things.length ** 2;
    seed = Math.floor(nextFloat(row) * SEEDS);
  }
  throw new RangeError(
    `The task ${task.id} takes for given what none of ${tries} worlds has. A seed draws the colours of cubes: where one must keep its colour, give it "keeps_color": true in the scene file.`,
  );
}
