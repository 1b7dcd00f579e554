import * as portable from '../../common/portable-math.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import * as base from '../../simulation/base.ts';
import { heldRoom } from '../../simulation/hold.ts';
import { hangsOver } from '../../simulation/navigation/footprints.ts';
import { type FreeHeadings, type HeadingPlan, planHeadings } from '../../simulation/navigation/heading-plan.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import { createPolyline } from '../../simulation/navigation/polyline.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { turnedBack, turnOf } from '../../simulation/turned-box.ts';
import { carriedBlocker, carryHeightM, carryingTopM } from './hand-room.ts';

/** Room for a carried thing: it stands out in front of the robot, so the heading matters near tall obstacles. */

/** Distance from the base to the load's farthest corner, plus a margin. Beyond this from everything tall, any heading is safe. */
function swingM({ robot: { carried }, grasp: { hold } }: SimWorld): number {
  const { frontM, sideM } = heldRoom(hold);
  return portable.hypot(carried.aheadM + frontM, sideM) + 0.05;
}
/** Extra room beyond the robot's radius, kept if available: the load is then clear at any heading of the robot. */
export const carryingClearanceM = (world: SimWorld): number => swingM(world) - world.robot.model.radiusM;
/** Height below which the load passes over obstacles. */
const swingBottomM = (world: SimWorld): number => carryHeightM(world) - heldRoom(world.grasp.hold).belowM - 0.04;

type Points = readonly (readonly [number, number])[];

export type CarryPlan =
  | { ok: true; points: Points; headings: HeadingPlan }
  /** `blocker` is the obstacle that the load would hit at the goal; null if only the path there is too narrow. */
  | { ok: false; blocker: string | null; nearest: planner.Point | null };

/** Returns whether a carried cube at a place is out of reach of everything tall. */
function isWide(world: SimWorld, point: planner.Point): boolean {
  const [leastM, bottomM, topM] = [swingM(world), swingBottomM(world), carryingTopM(world)];
  return world.scene.layout.obstacles.every((obstacle) => {
    const { position } = obstacle.pose;
    const { size } = obstacle;
    if (position[2] + size[2] / 2 < bottomM || hangsOver(obstacle, topM)) return true;
    const { x, y } = turnedBack(turnOf(obstacle), point);
    const apartX = Math.max(0, Math.abs(x - position[0]) - size[0] / 2);
    const apartY = Math.max(0, Math.abs(y - position[1]) - size[1] / 2);
    return portable.hypot(apartX, apartY) >= leastM;
  });
}

const freeHeadings =
  (world: SimWorld): FreeHeadings =>
  ({ x, y }) =>
    isWide(world, { x, y }) ? 'all' : (yawRad) => carriedBlocker(world, { x, y, yawRad }) === null;

/**
 * Plans how to walk a planned way with a cube in the hands: the headings along it, or another way where the cube needs room to
 * turn.
 * @param goal its heading counts when `finalYaw`
 */
export function carryPlan(world: SimWorld, points: Points, goal: PlanarPose & { finalYaw: boolean }): CarryPlan {
  const at = base.pose(world);
  const goalYaw = goal.finalYaw ? goal.yawRad : null;
  const blocker = goal.finalYaw ? carriedBlocker(world, goal) : null;
  if (blocker === null) {
    const free = freeHeadings(world);
    for (const way of waysRound(world, at, points, goal)) {
      const headings = way && planHeadings(createPolyline(way), at.yawRad, goalYaw, free);
      if (way && headings) return { ok: true, points: way, headings };
    }
  }
  const fits = (point: planner.Point): boolean =>
    goal.finalYaw
      ? carriedBlocker(world, { ...point, yawRad: goal.yawRad }) === null && nearWide(world, point, goal.yawRad)
      : isWide(world, point);
  return { ok: false, blocker, nearest: planner.nearestPlace(world, at, goal, fits) };
}

/** Returns whether the robot can come to a place with this heading: whether there is room to turn straight behind it. */
function nearWide(world: SimWorld, { x, y }: planner.Point, yawRad: number): boolean {
  const backM = swingM(world);
  return isWide(world, { x: x - backM * portable.cos(yawRad), y: y - backM * portable.sin(yawRad) });
}

/** Yields the planned way, and ways over the places with room to turn nearest to the start, to the goal and to both. */
function* waysRound(
  world: SimWorld,
  from: planner.Point,
  planned: Points,
  goal: planner.Point,
): Generator<Points | null, void, void> {
  yield planned;
  const wide = (point: planner.Point): boolean => isWide(world, point);
  const first = planner.nearestPlace(world, from, from, wide);
  if (!first) return;
  yield wayOver(world, [from, first, goal]);
  const last = planner.nearestPlace(world, from, goal, wide);
  if (!last) return;
  yield wayOver(world, [from, last, goal]);
  yield wayOver(world, [from, first, last, goal]);
}

function wayOver(world: SimWorld, places: readonly planner.Point[]): Points | null {
  const points: (readonly [number, number])[] = [];
  for (const [i, to] of places.entries()) {
    const from = places[i - 1];
    if (!from) continue;
    const plan = planner.planPath(world, from, to, { clearanceM: carryingClearanceM(world) });
    if (plan.kind !== 'path') return null;
    for (const point of plan.points) {
      const last = points.at(-1);
      if (!last || last[0] !== point[0] || last[1] !== point[1]) points.push(point);
    }
  }
  return points;
}
