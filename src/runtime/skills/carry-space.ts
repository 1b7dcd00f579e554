import type { PlanarPose } from '../../protocol/geometry.ts';
import * as portable from '../../protocol/portable-math.ts';
import { CUBE_EDGE_M } from '../../protocol/robot-model.ts';
import * as base from '../../simulation/base.ts';
import { CARRY_AHEAD_M, CARRY_HEIGHT_M } from '../../simulation/body/manipulator.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import type { SimWorld } from '../../simulation/world.ts';

/** Room for a carried cube: it stands out before the robot, so that turning sweeps it over a circle wider than the robot itself. */

/** The farthest corner of the cube from the base, and a little air. */
const SWING_M = portable.hypot(CARRY_AHEAD_M + CUBE_EDGE_M / 2, CUBE_EDGE_M / 2) + 0.04;
/** Obstacles lower than this are passed over. */
const SWING_BOTTOM_M = CARRY_HEIGHT_M - CUBE_EDGE_M / 2 - 0.04;
/** From a narrow place the robot steps straight back, and comes into one straight on, from this far. */
export const STRAIGHT_M = 0.38;

/** The obstacle that a carried cube would meet if the robot turned here, or null. */
function swingBlocker(world: SimWorld, { x, y }: { x: number; y: number }): string | null {
  const near = world.scene.layout.obstacles.find(({ pose: { position }, size }) => {
    if (position[2] + size[2] / 2 < SWING_BOTTOM_M) return false;
    const apartX = Math.max(0, Math.abs(x - position[0]) - size[0] / 2);
    const apartY = Math.max(0, Math.abs(y - position[1]) - size[1] / 2);
    return portable.hypot(apartX, apartY) < SWING_M;
  });
  return near?.obstacle_id ?? null;
}

/** The place straight behind a narrow goal where the robot can turn to it freely; null when the goal is not narrow, or nothing is behind it. */
export function turningPlaceFor(world: SimWorld, goal: PlanarPose): PlanarPose | null {
  if (swingBlocker(world, goal) === null) return null;
  const place = behind(goal, STRAIGHT_M);
  return swingBlocker(world, place) === null && planner.standable(world, place).ok ? place : null;
}

/** Whether the robot should step straight back before it turns away from where it stands. */
export function shouldBackOut(world: SimWorld): boolean {
  const at = base.pose(world);
  return swingBlocker(world, at) !== null && planner.standable(world, behind(at, STRAIGHT_M)).ok;
}

const behind = ({ x, y, yawRad }: PlanarPose, distanceM: number): PlanarPose => ({
  x: x - distanceM * portable.cos(yawRad),
  y: y - distanceM * portable.sin(yawRad),
  yawRad,
});
