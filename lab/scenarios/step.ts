/**
 * A step of our world (drive, gait, belt, bookkeeping) against a bare Rapier step (`World.step`) of the same world. Blocks
 * alternate. Each bare block starts from a snapshot of the state from which our block started, so both step the same bodies and
 * contacts.
 */
import { CUBE_EDGE_M, THING_COLOURS } from '../../src/protocol/wire/scene.ts';
import { conveyors } from '../../src/simulation/fixtures.ts';
import { addCube } from '../../src/simulation/things.ts';
import type { Scenario } from '../scenario.ts';
import type { Pair } from '../statistics.ts';
import { createWalkingCore, type WalkingCore, walkInCircle } from './walking-core.ts';

const STEPS = 120;
const LOOSE_CUBES = 30;
/**
 * Two rows of loose cubes on the floor, around the side of the robot's circle that is away from the belt; the robot walks into
 * the inner row.
 */
const RING = { x: 0.4, y: -1.12, innerM: 0.66, outerM: 0.84, fromRad: Math.PI / 3, spanRad: (4 / 3) * Math.PI };
const WALK_S = 3;

export const step: Scenario<'step'> = {
  name: 'step',
  rounds: { smoke: 1, full: 120 },
  warmUpRounds: { smoke: 0, full: 20 },
  async open() {
    const quiet = await createWalkingCore();
    const busy = await createWalkingCore();
    scatterCubes(busy);
    return {
      round: async () => ({ quiet: pairOf(quiet), busy: pairOf(busy) }),
      async close() {
        quiet.dispose();
        busy.dispose();
      },
    };
  },
};

function pairOf(walking: WalkingCore): Pair {
  walkInCircle(walking, WALK_S);
  const { world } = walking.core;
  // A body falls asleep after two seconds of rest, which is one block.
  for (const { rigidBody } of world.things.all.slice(conveyors(world)[0]?.row.length ?? 0)) rigidBody.wakeUp();
  const bareMs = walking.bareStepsMs(STEPS);
  const oursMs = walking.stepsMs(STEPS);
  return { ours: (oursMs * 1_000) / STEPS, bare: (bareMs * 1_000) / STEPS };
}

function scatterCubes({ core }: WalkingCore): void {
  for (let i = 0; i < LOOSE_CUBES; i += 1) {
    const angleRad = RING.fromRad + (RING.spanRad * Math.floor(i / 2)) / (LOOSE_CUBES / 2);
    const radiusM = i % 2 === 0 ? RING.innerM : RING.outerM;
    const colour = THING_COLOURS[i % THING_COLOURS.length] ?? 'red';
    addCube(core.world, colour, [RING.x + radiusM * Math.cos(angleRad), RING.y + radiusM * Math.sin(angleRad), CUBE_EDGE_M / 2]);
  }
}
