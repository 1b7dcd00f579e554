import type { Vec3 } from '../../protocol/geometry.ts';
import * as portable from '../../protocol/portable-math.ts';
import { CUBE_EDGE_M } from '../../protocol/robot-model.ts';
import * as cubes from '../../simulation/cubes.ts';
import type { SimWorld } from '../../simulation/world.ts';

/** Room for the hands over what stands near: they go across only above it. */

/** Cubes this near to where the hands go down may be met on the way there and back. */
const NEAR_M = 0.5;
/** A palm reaches this far below its middle; a held cube a little farther. */
const PALM_HALF_LENGTH_M = 0.05;
const HALF_CUBE_M = CUBE_EDGE_M / 2;
const AIR_M = 0.03;
/** What stands higher than this above a place is not passed over but gone round. */
const HIGHEST_STEP_M = 0.6;

/** The lowest height at which a grip's middle passes over every cube round a point: with empty hands, or with a cube in them. World frame, metres. */
export function passingHeight(world: SimWorld, [x, y, z]: Vec3, carrying: boolean, exceptId: string | null): number {
  const below = (carrying ? HALF_CUBE_M : PALM_HALF_LENGTH_M) + AIR_M;
  let height = Number.NEGATIVE_INFINITY;
  for (const cube of cubes.list(world)) {
    if (cube.held || cube.entityId === exceptId) continue;
    const [cx, cy, cz] = cube.position;
    const top = cz + HALF_CUBE_M;
    if (portable.hypot(cx - x, cy - y) > NEAR_M || top < z - HALF_CUBE_M || top > z + HIGHEST_STEP_M) continue;
    height = Math.max(height, top + below);
  }
  return height;
}
