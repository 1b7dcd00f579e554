import * as portable from '../../common/portable-math.ts';
import type { PlanarPose, Quat, Vec3 } from '../../protocol/wire/geometry.ts';
import { wrapRad } from '../../protocol/wire/geometry.ts';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import type { ThingShape } from '../../protocol/wire/thing-shape.ts';
import * as base from '../../simulation/base.ts';
import { HALF_CUBE_DIAGONAL_M, halfExtents } from '../../simulation/extents.ts';
import * as grasp from '../../simulation/grasp.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import { PALM_HALF_LENGTH_M, PALM_THICKNESS_M } from '../../simulation/palms.ts';
import { uprightness } from '../../simulation/quaternion.ts';
import type { GripPose } from '../../simulation/robot.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { partsOf } from '../../simulation/thing-bodies.ts';
import * as things from '../../simulation/things.ts';
import { type GripWay, halfAlongHands } from './grips.ts';
import { carriedBlocker } from './hand-room.ts';

/** A pose of the robot from which both hands reach a thing, and how the hands take it there. */
export interface Stance {
  pose: PlanarPose;
  way: GripWay;
  /** False when the robot stands there already. */
  walk: boolean;
}

/** The walking distance that costs as much as a turn by one radian. */
export const TURN_COST_M = 0.35;
/** The free space that the palms need beside a thing, from its sides: a small gap, then the opening's clearance and the palm. */
const PALM_INNER_M = 0.005;
const PALM_OUTER_M = 0.068;

/** Returns whether a cube lies flat on one of its sides. A cube that leans by more than about 5 degrees does not. */
export const isUpright = ([x, y, z, w]: Quat): boolean => uprightness({ x, y, z, w }) > 0.996;

/** Upper bound of the vertical part of the axis of a cylinder that lies on its side. */
const LEVEL = 0.09;

/** Returns whether a thing lies flat: a cube or a box on any of its sides, a cylinder on an end or on its side. */
export function liesFlat({ shape, orientation }: Pick<things.ThingView, 'shape' | 'orientation'>): boolean {
  if (shape.kind !== 'cylinder') return isUpright(orientation);
  const vertical = Math.abs(turn(orientation, [0, 0, 1])[2]);
  return vertical > 0.996 || vertical < LEVEL;
}

const UNIT_AXES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Returns the heading of a face of a cube that lies on any of its sides, radians; null if it leans and two upright faces are
 * missing.
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

/** The part of a grip that determines where the palms come down. */
type PalmsWay = Pick<GripWay, 'yawRad' | 'widthM' | 'raiseM'>;

/**
 * Returns whether both palms have room beside a thing's place when they take it this way. Other things count as obstacles; the
 * named thing does not.
 * @param point the place of the thing's centre, world frame
 */
export function palmsFit(world: SimWorld, [x, y, z]: Vec3, way: PalmsWay, exceptId: string | null): boolean {
  const point: Vec3 = [x, y, z + way.raiseM];
  return things
    .list(world)
    .every(
      (thing) =>
        thing.carried ||
        thing.entityId === exceptId ||
        (thing.isCube
          ? palmsFitBesideCube(thing, point, way)
          : solidsOf(thing).every((solid) => palmsFitBeside(solid, point, way))),
    );
}

function palmsFitBesideCube(cube: things.ThingView, point: Vec3, { yawRad: gripYawRad, widthM }: PalmsWay): boolean {
  const [cos, sin] = [portable.cos(gripYawRad), portable.sin(gripYawRad)];
  const [dx, dy] = [cube.position[0] - point[0], cube.position[1] - point[1]];
  const along = Math.abs(cos * dx + sin * dy);
  const across = Math.abs(cos * dy - sin * dx);
  // The palms come down from above and leave upwards, so higher things are obstacles too.
  if (cube.position[2] < point[2] - CUBE_EDGE_M / 2 - PALM_HALF_LENGTH_M) return true;
  const [innerM, outerM] = [widthM / 2 + PALM_INNER_M, widthM / 2 + PALM_OUTER_M];
  if (along > PALM_HALF_LENGTH_M + HALF_CUBE_DIAGONAL_M || across > outerM + HALF_CUBE_DIAGONAL_M) return true;
  return across > outerM + extent(cube.orientation, gripYawRad) || across < innerM - CUBE_EDGE_M / 2;
}

/** A solid part of a thing as it lies: the whole of a box or a cylinder, a wall or the floor of a container. */
interface Solid {
  centre: Vec3;
  shape: ThingShape;
  orientation: Quat;
}

function solidsOf({ shape, position, orientation }: things.ThingView): Solid[] {
  if (shape.kind !== 'container') return [{ centre: position, shape, orientation }];
  return partsOf(shape).flatMap((part) => {
    if (part.kind !== 'box') return [];
    const [dx, dy, dz] = turn(orientation, part.centre);
    const [hx, hy, hz] = part.half;
    return [
      {
        centre: [position[0] + dx, position[1] + dy, position[2] + dz] as Vec3,
        shape: { kind: 'box', size: [2 * hx, 2 * hy, 2 * hz] } as const,
        orientation,
      },
    ];
  });
}

function palmsFitBeside({ centre, shape, orientation }: Solid, point: Vec3, { yawRad, widthM }: PalmsWay): boolean {
  const [qx, qy, qz, qw] = orientation;
  const upM = halfExtents(shape, { x: qx, y: qy, z: qz, w: qw })[2];
  if (centre[2] + upM < point[2] - PALM_HALF_LENGTH_M) return true;
  const [cos, sin] = [portable.cos(yawRad), portable.sin(yawRad)];
  const [dx, dy] = [centre[0] - point[0], centre[1] - point[1]];
  const along = Math.abs(cos * dx + sin * dy);
  const across = Math.abs(cos * dy - sin * dx);
  const { alongM, acrossM } = halfAlongHands(shape, orientation, yawRad);
  if (along > PALM_HALF_LENGTH_M + alongM) return true;
  return across > widthM / 2 + PALM_OUTER_M + acrossM || across < widthM / 2 + PALM_INNER_M - acrossM;
}

/**
 * Returns whether empty hands and the space between their palms can be lowered to a point without touching a thing.
 * @param point the middle between the palms, world frame
 * @param openingM between their inner faces, metres
 */
export function handsFit(world: SimWorld, point: Vec3, yawRad: number, openingM: number): boolean {
  const [cos, sin] = [portable.cos(yawRad), portable.sin(yawRad)];
  return things.list(world).every(
    (thing) =>
      thing.carried ||
      solidsOf(thing).every(({ centre, shape, orientation: [x, y, z, w] }) => {
        const upM = halfExtents(shape, { x, y, z, w })[2];
        if (centre[2] + upM < point[2] - PALM_HALF_LENGTH_M) return true;
        const [dx, dy] = [centre[0] - point[0], centre[1] - point[1]];
        const { alongM, acrossM } = halfAlongHands(shape, [x, y, z, w], yawRad);
        return (
          Math.abs(cos * dx + sin * dy) > PALM_HALF_LENGTH_M + PALM_INNER_M + alongM ||
          Math.abs(cos * dy - sin * dx) > openingM / 2 + PALM_THICKNESS_M + PALM_INNER_M + acrossM
        );
      }),
  );
}

/** Returns half the width of a cube across the hands' direction. */
function extent(orientation: Quat, gripYawRad: number): number {
  const yaw = uprightYaw(orientation);
  if (yaw === null) return HALF_CUBE_DIAGONAL_M;
  const off = Math.abs(wrapRad(4 * (yaw - gripYawRad))) / 4;
  return (CUBE_EDGE_M / 2) * (portable.cos(off) + portable.sin(off));
}

/** The grips for the hands at a stance, in the world, for a way to take the thing. */
export type GripsAt = (way: GripWay) => readonly GripPose[];

/** How far before or behind a stance a robot that walks to it may stop. A robot that stands there may sway this far. */
export const WALKED_OFF_M = 0.02;
const SWAY_M = 0.004;

/** Returns whether the hands reach every grip from a stance. For things other than cubes, a little before and behind it too. */
export function isReachedAt(world: SimWorld, { pose, way, walk }: Stance, grips: readonly GripPose[]): boolean {
  if (way.isCube) return allReached(world, pose, grips);
  const [c, s] = [portable.cos(pose.yawRad), portable.sin(pose.yawRad)];
  const offM = walk ? WALKED_OFF_M : SWAY_M;
  return [0, offM, -offM].every((off) => allReached(world, { ...pose, x: pose.x + off * c, y: pose.y + off * s }, grips));
}

const allReached = (world: SimWorld, pose: PlanarPose, grips: readonly GripPose[]): boolean =>
  grips.every(
    (grip) =>
      portable.hypot(grip.centre[0] - pose.x, grip.centre[1] - pose.y) < world.robot.workplace.farthestM &&
      world.robot.hands.solveReach(world, pose, grip).feasible,
  );

const anyWay = (): boolean => true;

const turnFrom = (at: PlanarPose, yawRad: number): number => Math.abs(wrapRad(yawRad - at.yawRad));

/**
 * Returns how to take a thing so that every grip is reached from where the robot stands, with the hands turned least.
 * @param ways the grips to choose from
 * @param isClear returns whether the path of the hands from there is free
 * @returns null if no stance qualifies
 */
export function standingStance(
  world: SimWorld,
  ways: readonly GripWay[],
  gripsAt: GripsAt,
  isClear: (stance: Stance) => boolean = anyWay,
): Stance | null {
  const at = base.pose(world);
  const byTurn = ways
    .filter(({ yawRad }) => turnFrom(at, yawRad) < world.robot.workplace.twistMaxRad)
    .sort((a, b) => turnFrom(at, a.yawRad) - turnFrom(at, b.yawRad));
  const stances = byTurn.map((way): Stance => ({ pose: at, way, walk: false }));
  return stances.find((stance) => isReachedAt(world, stance, gripsAt(stance.way)) && isClear(stance)) ?? null;
}

/**
 * Returns the stance from which every grip is reached, with the least walking and turning.
 * @param point the point that the grips surround, world frame
 * @param ways the grips to choose from
 * @param isClear returns whether the path of the hands from there is free
 * @returns null if no stance qualifies
 */
export function walkingStance(
  world: SimWorld,
  point: Vec3,
  ways: readonly GripWay[],
  gripsAt: GripsAt,
  isClear: (stance: Stance) => boolean = anyWay,
): Stance | null {
  const at = base.pose(world);
  const carries = grasp.heldEntityId(world) !== null;
  const mayTurnHere = planner.standable(world, at).ok;
  const candidates: { stance: Stance; cost: number }[] = [];
  const consider = (pose: PlanarPose, way: GripWay, lengthM: number): void => {
    candidates.push({ stance: { pose, way, walk: true }, cost: lengthM + TURN_COST_M * turnFrom(at, pose.yawRad) });
  };
  const bearing = portable.atan2(point[1] - at.y, point[0] - at.x);
  for (const way of ways) {
    const { yawRad: gripYawRad } = way;
    // A turn on the spot may be enough if the waist alone does not reach.
    if (mayTurnHere && Math.abs(wrapRad(gripYawRad - bearing)) < world.robot.workplace.twistMaxRad)
      consider({ ...at, yawRad: bearing }, way, 0);
    for (const distanceM of world.robot.workplace.distancesM) {
      const x = point[0] - distanceM * portable.cos(gripYawRad);
      const y = point[1] - distanceM * portable.sin(gripYawRad);
      if (!planner.standable(world, { x, y }).ok) continue;
      if (carries && carriedBlocker(world, { x, y, yawRad: gripYawRad }) !== null) continue;
      const lengthM = planner.wayLengthM(world, at, { x, y });
      if (lengthM !== null) consider({ x, y, yawRad: gripYawRad }, way, lengthM);
    }
  }
  candidates.sort((a, b) => a.cost - b.cost);
  const isGood = (stance: Stance) => isReachedAt(world, stance, gripsAt(stance.way)) && isClear(stance);
  return candidates.find(({ stance }) => isGood(stance))?.stance ?? null;
}
