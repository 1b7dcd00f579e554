import type { PlanarPose, Quat, Vec3 } from '../../protocol/geometry.ts';
import { wrapRad } from '../../protocol/geometry.ts';
import * as portable from '../../protocol/portable-math.ts';
import { CUBE_EDGE_M } from '../../protocol/scene.ts';
import * as base from '../../simulation/base.ts';
import * as cubes from '../../simulation/cubes.ts';
import * as grasp from '../../simulation/grasp.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import { uprightness } from '../../simulation/quaternion.ts';
import type { GripPose } from '../../simulation/robot.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { carriedBlocker, PALM_HALF_LENGTH_M } from './hand-room.ts';

/** A place to stand from which both hands reach something, and the heading of the hands there. */
export interface Stance {
  pose: PlanarPose;
  gripYawRad: number;
  /** False when the robot stands there already. */
  walk: boolean;
}

/** Turning by one radian counts like walking this far. */
const TURN_COST_M = 0.35;
/** The space that the palms need free beside a cube, from its centre: half an edge, the opening's clearance, the palm itself. */
const PALM_INNER_M = CUBE_EDGE_M / 2 + 0.005;
const PALM_OUTER_M = CUBE_EDGE_M / 2 + 0.068;
const HALF_DIAGONAL_M = (CUBE_EDGE_M / 2) * Math.SQRT2;

/** Returns the headings from which the hands close on opposite faces of something with this heading: four, a quarter turn apart. */
export const faceYaws = (yawRad: number): number[] => [0, 1, 2, 3].map((quarter) => wrapRad(yawRad + (quarter * Math.PI) / 2));

/** Tells whether a cube lies flat on one of its sides; one that leans by more than about five degrees does not. */
export const isUpright = ([x, y, z, w]: Quat): boolean => uprightness({ x, y, z, w }) > 0.996;

const UNIT_AXES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Returns the heading of a face of a cube that lies on any of its sides, radians; null when it leans, so that no two faces are
 * upright.
 * The most upright axis is the vertical one; the others then lie in the floor plane.
 */
export function uprightYaw(orientation: Quat): number | null {
  const axes = UNIT_AXES.map((axis) => turn(orientation, axis));
  const upright = axes.findIndex((axis) => Math.abs(axis[2]) > 0.985);
  if (upright < 0) return null;
  const [x = 1, y = 0] = axes[(upright + 1) % 3] ?? [];
  return portable.atan2(y, x);
}

function turn([qx, qy, qz, qw]: Quat, [x, y, z]: Vec3): Vec3 {
  const cx = qy * z - qz * y;
  const cy = qz * x - qx * z;
  const cz = qx * y - qy * x;
  return [x + 2 * (qw * cx + qy * cz - qz * cy), y + 2 * (qw * cy + qz * cx - qx * cz), z + 2 * (qw * cz + qx * cy - qy * cx)];
}

/** Tells whether there is room for both palms beside a cube's place at this heading of the hands. Other cubes count, the named one does not. */
export function palmsFit(world: SimWorld, point: Vec3, gripYawRad: number, exceptId: string | null): boolean {
  const [cos, sin] = [portable.cos(gripYawRad), portable.sin(gripYawRad)];
  return cubes.list(world).every((cube) => {
    if (cube.held || cube.entityId === exceptId) return true;
    const [dx, dy] = [cube.position[0] - point[0], cube.position[1] - point[1]];
    const along = Math.abs(cos * dx + sin * dy);
    const across = Math.abs(cos * dy - sin * dx);
    // The palms come down from above and leave upwards, so higher things are in their way too.
    if (cube.position[2] < point[2] - CUBE_EDGE_M / 2 - PALM_HALF_LENGTH_M) return true;
    if (along > PALM_HALF_LENGTH_M + HALF_DIAGONAL_M || across > PALM_OUTER_M + HALF_DIAGONAL_M) return true;
    return across > PALM_OUTER_M + extent(cube.orientation, gripYawRad) || across < PALM_INNER_M - CUBE_EDGE_M / 2;
  });
}

/** Returns half the width of a cube across the hands' direction. */
function extent(orientation: Quat, gripYawRad: number): number {
  const yaw = uprightYaw(orientation);
  if (yaw === null) return HALF_DIAGONAL_M;
  const off = Math.abs(wrapRad(4 * (yaw - gripYawRad))) / 4;
  return (CUBE_EDGE_M / 2) * (portable.cos(off) + portable.sin(off));
}

/** The grips for the hands at a stance, in the world, for a heading of the hands. */
export type GripsAt = (gripYawRad: number) => readonly GripPose[];

const allReached = (world: SimWorld, pose: PlanarPose, grips: readonly GripPose[]): boolean =>
  grips.every(
    (grip) =>
      portable.hypot(grip.centre[0] - pose.x, grip.centre[1] - pose.y) < world.robot.workplace.farthestM &&
      world.robot.hands.solveReach(world, pose, grip).feasible,
  );

const anyWay = (): boolean => true;

const turnFrom = (at: PlanarPose, yawRad: number): number => Math.abs(wrapRad(yawRad - at.yawRad));

/**
 * Returns the heading of the hands, least turned first, with which every grip is reached from where the robot stands.
 * @param yaws headings of the hands to choose from, radians
 * @param isClear tells whether the hands' way from there is free
 * @returns null when there is none
 */
export function standingStance(
  world: SimWorld,
  yaws: readonly number[],
  gripsAt: GripsAt,
  isClear: (stance: Stance) => boolean = anyWay,
): Stance | null {
  const at = base.pose(world);
  const byTurn = yaws
    .filter((yaw) => turnFrom(at, yaw) < world.robot.workplace.twistMaxRad)
    .sort((a, b) => turnFrom(at, a) - turnFrom(at, b));
  const stances = byTurn.map((gripYawRad): Stance => ({ pose: at, gripYawRad, walk: false }));
  return stances.find((stance) => allReached(world, at, gripsAt(stance.gripYawRad)) && isClear(stance)) ?? null;
}

/**
 * Returns the place to stand, least walking and turning first, from which every grip is reached.
 * @param point what the grips are about, world frame
 * @param yaws headings of the hands to choose from, radians
 * @param isClear tells whether the hands' way from there is free
 * @returns null when there is none
 */
export function walkingStance(
  world: SimWorld,
  point: Vec3,
  yaws: readonly number[],
  gripsAt: GripsAt,
  isClear: (stance: Stance) => boolean = anyWay,
): Stance | null {
  const at = base.pose(world);
  const carries = grasp.heldEntityId(world) !== null;
  const mayTurnHere = planner.standable(world, at).ok;
  const candidates: { stance: Stance; cost: number }[] = [];
  const consider = (pose: PlanarPose, gripYawRad: number, lengthM: number): void => {
    candidates.push({ stance: { pose, gripYawRad, walk: true }, cost: lengthM + TURN_COST_M * turnFrom(at, pose.yawRad) });
  };
  const bearing = portable.atan2(point[1] - at.y, point[0] - at.x);
  for (const gripYawRad of yaws) {
    // A turn on the spot may do where the waist alone does not.
    if (mayTurnHere && Math.abs(wrapRad(gripYawRad - bearing)) < world.robot.workplace.twistMaxRad)
      consider({ ...at, yawRad: bearing }, gripYawRad, 0);
    for (const distanceM of world.robot.workplace.distancesM) {
      const x = point[0] - distanceM * portable.cos(gripYawRad);
      const y = point[1] - distanceM * portable.sin(gripYawRad);
      if (!planner.standable(world, { x, y }).ok) continue;
      if (carries && carriedBlocker(world, { x, y, yawRad: gripYawRad }) !== null) continue;
      const lengthM = planner.wayLengthM(world, at, { x, y });
      if (lengthM !== null) consider({ x, y, yawRad: gripYawRad }, gripYawRad, lengthM);
    }
  }
  candidates.sort((a, b) => a.cost - b.cost);
  const serves = (stance: Stance) => allReached(world, stance.pose, gripsAt(stance.gripYawRad)) && isClear(stance);
  return candidates.find(({ stance }) => serves(stance))?.stance ?? null;
}
