import * as portable from '../../common/portable-math.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { roundLength } from '../../protocol/wire/json.ts';
import type { Lie } from '../../simulation/extents.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import type { ThingView } from '../../simulation/things.ts';
import { allowedBy, gripWays, type NotHeld } from './grips.ts';
import { closedM, gripOn, openM } from './hands.ts';
import { isReachedAt } from './stances.ts';

/** How low hands come depends on the robot, and on how far apart they are: the least height of a thing is found by trying. */

const STEP_M = 0.01;
/** Height from which a thing is never too flat, metres. */
const HIGHEST_M = 0.12;

/**
 * Returns why a thing can be taken from no place, were there room everywhere, if that is because it is too flat; null when it is
 * not.
 * @param lie how the thing lies
 */
export function tooFlatBecause(world: SimWorld, thing: ThingView, lie: Lie): NotHeld | null {
  if (thing.isCube || lie.heightM >= HIGHEST_M || isTaken(world, thing, lie, lie.heightM)) return null;
  for (let count = Math.floor(lie.heightM / STEP_M + 1e-9) + 1; count * STEP_M <= HIGHEST_M; count += 1) {
    const leastM = count * STEP_M;
    if (!isTaken(world, thing, lie, leastM)) continue;
    const allowed = allowedBy(world.robot.gripper);
    return {
      reason: `it is ${lie.heightM.toFixed(2)} m high, and where it lies they hold what is ${leastM.toFixed(2)} m high at least`,
      allowed: { ...allowed, height_m: { minimum: roundLength(leastM), ...allowed.height_m } },
    };
  }
  return null;
}

/** Returns whether the hands would reach the thing from some stance if it had this height, on the same ground. */
function isTaken(world: SimWorld, thing: ThingView, lie: Lie, heightM: number): boolean {
  const [x, y, z] = thing.position;
  const centre: Vec3 = [x, y, z + (heightM - lie.heightM) / 2];
  const ways = gripWays(world.robot.gripper, thing, { ...lie, heightM }, 0).flat();
  return ways.some((way) =>
    world.robot.workplace.distancesM.some((distanceM) => {
      const pose = {
        x: x - distanceM * portable.cos(way.yawRad),
        y: y - distanceM * portable.sin(way.yawRad),
        yawRad: way.yawRad,
      };
      return isReachedAt(world, { pose, way, walk: true }, [
        gripOn(centre, way, openM(world, way)),
        gripOn(centre, way, closedM(way)),
      ]);
    }),
  );
}
