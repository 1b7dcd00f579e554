import type { PlanarPose, Vec3 } from '../../protocol/geometry.ts';
import * as portable from '../../protocol/portable-math.ts';
import { CUBE_EDGE_M } from '../../protocol/scene.ts';
import * as cubes from '../../simulation/cubes.ts';
import { fixedFootprints, pointDistance } from '../../simulation/navigation/footprints.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { turnedBack, turnOf } from '../../simulation/turned-box.ts';

/** Room for the hands over nearby things: the hands cross only above them. */

/** Cubes this near to the place where the hands go down may be met on the way there and back. */
const NEAR_M = 0.5;
/** A palm reaches this far below its middle; a held cube a little farther. */
export const PALM_HALF_LENGTH_M = 0.05;
const HALF_CUBE_M = CUBE_EDGE_M / 2;
const AIR_M = 0.03;
/** Things that stand higher than this above a place are not passed over but gone around. */
const HIGHEST_STEP_M = 0.6;

/** Returns the lowest height at which a grip's middle passes over every cube around a point, with empty hands or with a cube in them. World frame, metres. */
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

/** Nearer than this to its side a carried cube only touches, as it does what it is put down on. */
const TOUCH_M = 0.01;
/** A way of the hands is looked at in so many places. */
const LOOKS = 24;

/** Tells whether the middle of a carried cube would meet an obstacle on the straight ways from point to point. World frame. */
export function carriedMeets({ scene: { layout } }: SimWorld, points: readonly Vec3[]): boolean {
  const footprints = fixedFootprints(layout);
  const meetsAt = ([x, y, z]: Vec3): boolean =>
    layout.obstacles.some(({ pose: { position }, size }, index) => {
      const footprint = footprints[index];
      const apartUpM = Math.abs(z - position[2]) - size[2] / 2;
      return footprint && apartUpM < HALF_CUBE_M - TOUCH_M && pointDistance({ x, y }, footprint) < HALF_CUBE_M - TOUCH_M;
    });
  return points.some((to, index) => {
    const from = points[index - 1] ?? to;
    return Array.from({ length: LOOKS + 1 }, (_, look) => look / LOOKS).some((share) =>
      meetsAt([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]),
    );
  });
}

const directionOf = (yawRad: number): readonly [cos: number, sin: number] => [portable.cos(yawRad), portable.sin(yawRad)];

/** The space that a carried cube and the hands around it take up to either side of the middle line before the base. */
const CARRIED_SIDE_M = HALF_CUBE_M + AIR_M;

/** Returns the obstacle that a carried cube would meet before a base at this pose, or null. */
export function carriedBlocker(world: SimWorld, pose: PlanarPose): string | null {
  const straight = directionOf(pose.yawRad);
  const { aheadM, heightM } = world.robot.carried;
  const bottomM = heightM - HALF_CUBE_M - AIR_M;
  // From the middle of the base to the cube's front.
  const middleM = (aheadM + HALF_CUBE_M + AIR_M) / 2;
  const blocker = world.scene.layout.obstacles.find((obstacle) => {
    const { position } = obstacle.pose;
    const { size } = obstacle;
    if (position[2] + size[2] / 2 < bottomM) return false;
    const turn = turnOf(obstacle);
    const base = turnedBack(turn, pose);
    const [cos, sin] = turn === null ? straight : directionOf(pose.yawRad - turn.yawRad);
    const [halfX, halfY] = [size[0] / 2, size[1] / 2];
    // Two rectangles are apart when a line along a side of either separates them (separating axes).
    const [dx, dy] = [position[0] - base.x - middleM * cos, position[1] - base.y - middleM * sin];
    const [ahead, aside] = [Math.abs(cos * dx + sin * dy), Math.abs(cos * dy - sin * dx)];
    const [absCos, absSin] = [Math.abs(cos), Math.abs(sin)];
    return (
      ahead < middleM + absCos * halfX + absSin * halfY &&
      aside < CARRIED_SIDE_M + absSin * halfX + absCos * halfY &&
      Math.abs(dx) < halfX + absCos * middleM + absSin * CARRIED_SIDE_M &&
      Math.abs(dy) < halfY + absSin * middleM + absCos * CARRIED_SIDE_M
    );
  });
  return blocker?.obstacle_id ?? null;
}
