import * as portable from '../../common/portable-math.ts';
import type { PlanarPose, Vec3 } from '../../protocol/wire/geometry.ts';
import * as base from '../../simulation/base.ts';
import { ballRadiusM, HALF_CUBE_DIAGONAL_M, HALF_CUBE_M } from '../../simulation/extents.ts';
import { heldRoom } from '../../simulation/hold.ts';
import { carriedThings } from '../../simulation/load.ts';
import { fixedFootprints, hangsOver, pointDistance } from '../../simulation/navigation/footprints.ts';
import { PALM_HALF_LENGTH_M } from '../../simulation/palms.ts';
import type { CarryOptions } from '../../simulation/robot.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import * as things from '../../simulation/things.ts';
import { turnedBack, turnOf } from '../../simulation/turned-box.ts';

/** Room for the hands over nearby things: the hands cross only above them. */

/** Things this near to the place where the hands go down may be met on the way there and back. */
const NEAR_M = 0.5;
const AIR_M = 0.03;
/** The hands go around things that are higher than this above a place, instead of over them. */
const HIGHEST_STEP_M = 0.6;

/**
 * A load that passes over things: how far it reaches below the moved point, and how far below that point it is put down, metres.
 */
export interface Passing {
  belowM: number;
  surfaceM: number;
}
/** Empty hands over a cube. */
export const EMPTY_HANDS: Passing = { belowM: PALM_HALF_LENGTH_M, surfaceM: HALF_CUBE_M };

/** Returns the lowest height at which a point of the hands passes over every thing around a place. World frame, metres. */
export function passingHeight(world: SimWorld, [x, y, z]: Vec3, passing: Passing, exceptId: string | null): number {
  const below = passing.belowM + AIR_M;
  let height = Number.NEGATIVE_INFINITY;
  for (const thing of things.list(world)) {
    if (thing.carried || thing.entityId === exceptId) continue;
    const [cx, cy, cz] = thing.position;
    const top = cz + thing.halfHeightM;
    const widerM = thing.isCube ? 0 : Math.max(0, ballRadiusM(thing.shape) - HALF_CUBE_DIAGONAL_M);
    if (portable.hypot(cx - x, cy - y) - widerM > NEAR_M || top < z - passing.surfaceM || top > z + HIGHEST_STEP_M) continue;
    height = Math.max(height, top + below);
  }
  return height;
}

/** A carried cube that overlaps a side by less than this only touches it, as it touches the surface it is put down on. */
const TOUCH_M = 0.01;
/** Number of points at which a path of the hands is examined. */
const LOOKS = 24;

/**
 * Returns whether the middle of the carried thing would hit an obstacle on the straight paths between the points. World frame.
 */
export function carriedMeets({ scene: { layout }, grasp: { hold } }: SimWorld, points: readonly Vec3[]): boolean {
  const room = heldRoom(hold);
  const halfUpM = (room.belowM + room.aboveM) / 2 - TOUCH_M;
  const halfM = Math.max(room.sideM, (room.frontM + room.backM) / 2) - TOUCH_M;
  const footprints = fixedFootprints(layout);
  const meetsAt = ([x, y, z]: Vec3): boolean =>
    layout.obstacles.some(({ pose: { position }, size }, index) => {
      const footprint = footprints[index];
      const apartUpM = Math.abs(z - position[2]) - size[2] / 2;
      return footprint && apartUpM < halfUpM && pointDistance({ x, y }, footprint) < halfM;
    });
  return points.some((to, index) => {
    const from = points[index - 1] ?? to;
    return Array.from({ length: LOOKS + 1 }, (_, look) => look / LOOKS).some((share) =>
      meetsAt([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]),
    );
  });
}

const directionOf = (yawRad: number): readonly [cos: number, sin: number] => [portable.cos(yawRad), portable.sin(yawRad)];

/**
 * Returns the carrying height of the middle of the hands, metres above the floor. It is higher for a thing that hangs lower than
 * a cube, as far as the arms reach well.
 */
export function carryHeightM({ robot: { carried, gripper }, grasp: { hold } }: SimWorld): number {
  const hangsM = Math.max(0, heldRoom(hold).belowM - HALF_CUBE_M);
  return Math.min(carried.heightM + hangsM, Math.max(carried.heightM, gripper.highestCarryM));
}

/** Load up to which the hands move at the usual pace, kilograms; heavier loads leave less strength for moving. */
const SLOW_FROM_KG = 1;
const SLOWER_PER_KG = 0.8;
/** Factor for a loaded container: loose contents hop 0.1 m when hands at their usual pace stop. */
const SLOWER_LOADED = 2.5;

/** Returns how the hands carry their load: high enough, and slowly if it is heavy or contains things. */
export const carrying = (world: SimWorld): CarryOptions => ({ heightM: carryHeightM(world), slowerBy: slowerBy(world) });

/** Returns how much slower than with a cube the hands move their load, as a factor of time. */
export function slowerBy({ grasp: { hold }, things }: SimWorld): number {
  if (!hold || hold.thing.isCube) return 1;
  const carried = [...carriedThings(things)];
  const massKg = carried.reduce((sum, thing) => sum + thing.massKg, 0);
  return Math.max(carried.length > 1 ? SLOWER_LOADED : 1, SLOWER_PER_KG * (massKg - SLOW_FROM_KG) + 1);
}

/**
 * Returns whether the arms on their usual path would hit a thing near a place, one that reaches out or up farther than a cube.
 */
export function isBulkyNear(world: SimWorld, [x, y]: Vec3): boolean {
  return things
    .list(world)
    .some(
      ({ isCube, carried, shape, position, halfHeightM }) =>
        !isCube &&
        !carried &&
        (halfHeightM > HALF_CUBE_M || shape.kind === 'container' || ballRadiusM(shape) > HALF_CUBE_DIAGONAL_M) &&
        portable.hypot(position[0] - x, position[1] - y) < NEAR_M + ballRadiusM(shape),
    );
}

/** The space that rising arms swing through, in the frame of the base, metres: ahead of it, to either side, up. */
const SWING = { fromM: 0.1, toM: 0.4, asideM: 0.4, lowM: 0.5, highM: 0.95 };

/** Returns whether a thing other than the target stands in the usual swing of the arms, such as on the near edge of a table. */
export function isInSwing(world: SimWorld, exceptId: string | null): boolean {
  const { x, y, yawRad } = base.pose(world);
  const [cos, sin] = directionOf(yawRad);
  return things.list(world).some(({ entityId, carried, position, halfHeightM, shape }) => {
    if (carried || entityId === exceptId) return false;
    const reachM = ballRadiusM(shape);
    const [dx, dy] = [position[0] - x, position[1] - y];
    const [aheadM, asideM] = [cos * dx + sin * dy, Math.abs(cos * dy - sin * dx)];
    const isBefore = aheadM + reachM > SWING.fromM && aheadM - reachM < SWING.toM && asideM - reachM < SWING.asideM;
    return isBefore && position[2] + halfHeightM > SWING.lowM && position[2] - halfHeightM < SWING.highM;
  });
}

/** Returns the height of the robot or of the load before its chest, whichever is taller. World frame, metres. */
export const carryingTopM = (world: SimWorld): number =>
  Math.max(world.robot.model.heightM, carryHeightM(world) + heldRoom(world.grasp.hold).aboveM);

/** Returns the obstacle that a carried thing would hit if the base were at this pose, or null. */
export function carriedBlocker(world: SimWorld, pose: PlanarPose): string | null {
  const straight = directionOf(pose.yawRad);
  const { aheadM } = world.robot.carried;
  const room = heldRoom(world.grasp.hold);
  const bottomM = carryHeightM(world) - room.belowM - AIR_M;
  // From the middle of the base to the thing's front.
  const middleM = (aheadM + room.frontM + AIR_M) / 2;
  // The thing and the hands around it, to either side of the middle line before the base.
  const sideM = room.sideM + AIR_M;
  const topM = carryingTopM(world);
  const blocker = world.scene.layout.obstacles.find((obstacle) => {
    const { position } = obstacle.pose;
    const { size } = obstacle;
    if (position[2] + size[2] / 2 < bottomM || hangsOver(obstacle, topM)) return false;
    const turn = turnOf(obstacle);
    const base = turnedBack(turn, pose);
    const [cos, sin] = turn === null ? straight : directionOf(pose.yawRad - turn.yawRad);
    const [halfX, halfY] = [size[0] / 2, size[1] / 2];
    // Two rectangles are apart when they are apart along a side of either (separating axis theorem).
    const [dx, dy] = [position[0] - base.x - middleM * cos, position[1] - base.y - middleM * sin];
    const [ahead, aside] = [Math.abs(cos * dx + sin * dy), Math.abs(cos * dy - sin * dx)];
    const [absCos, absSin] = [Math.abs(cos), Math.abs(sin)];
    return (
      ahead < middleM + absCos * halfX + absSin * halfY &&
      aside < sideM + absSin * halfX + absCos * halfY &&
      Math.abs(dx) < halfX + absCos * middleM + absSin * sideM &&
      Math.abs(dy) < halfY + absSin * middleM + absCos * sideM
    );
  });
  return blocker?.obstacle_id ?? null;
}
