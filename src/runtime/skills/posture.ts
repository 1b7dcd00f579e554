import * as portable from '../../common/portable-math.ts';
import type { PlanarPose, Vec3 } from '../../protocol/wire/geometry.ts';
import * as base from '../../simulation/base.ts';
import { ballRadiusM } from '../../simulation/extents.ts';
import * as grasp from '../../simulation/grasp.ts';
import { heldWidthM } from '../../simulation/hold.ts';
import { PALM_HALF_LENGTH_M } from '../../simulation/palms.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import * as things from '../../simulation/things.ts';
import { rotated } from './grips.ts';
import { carrying, EMPTY_HANDS, isBulkyNear, passingHeight, slowerBy } from './hand-room.ts';
import { type SkillContext, steps, until } from './skill.ts';
import { handsFit, palmsFit } from './stances.ts';

/** Wide enough to clear anything that may stand between the palms, inner face to inner face. */
const CLEAR_OPENING_M = 0.25;
/** How far the hands rise from a cube before they move elsewhere. */
const CLEAR_RISE_M = 0.13;
/** How much wider than a thing the hands open when they pass over or leave it. */
export const OPENS_BY_M = 0.06;
/** Time to open the hands. Far-reaching arms turn much at the shoulder when the palms part, so it must not be shorter. */
const OPEN_S = 0.17;
/** Opening to which empty hands close near the body if an obstacle is in their way. */
const CLOSE_OPENING_M = 0.12;
/** How much nearer to the body the hands come if furniture is in their way; tried in this order. */
const NEARER_M = [0, 0.03, 0.06];
const ARMS_WITHIN_STEPS = steps(2);

/** Returns how stopped hands leave what is between them, which may be a thing other than a cube. */
function leavingOf({ core: { world } }: SkillContext): Leaving {
  const { centre } = world.robot.hands.grip(world.body);
  const between = things.list(world).find((thing) => !thing.isCube && isAbout(thing, centre));
  return between ? leavingFor(world, between, centre[2]) : LEAVING_A_CUBE;
}

/** Returns whether a point is in a thing, or right above it. */
function isAbout({ position: [x, y, z], halfHeightM, shape }: things.ThingView, [px, py, pz]: Vec3): boolean {
  return portable.hypot(px - x, py - y) < ballRadiusM(shape) && Math.abs(pz - z) < halfHeightM + PALM_HALF_LENGTH_M;
}

/** Returns how hands leave a thing that stands between them, their middle at a height. World frame, metres. */
export function leavingFor(world: SimWorld, thing: things.ThingView, gripZ: number): Leaving {
  if (thing.isCube) return LEAVING_A_CUBE;
  const { centre, yawRad, openingM } = world.robot.hands.grip(world.body);
  const widthM = heldWidthM(rotated(thing), yawRad);
  const open = Math.min(Math.max(widthM, openingM) + OPENS_BY_M, world.robot.gripper.openingM);
  // As wide as for a cube, if other things leave room for that.
  const wideM = Math.max(LEAVING_A_CUBE.openingM, open);
  const wideWay = { yawRad, widthM: wideM - OPENS_BY_M, raiseM: 0 };
  const aboveGripM = thing.position[2] + thing.halfHeightM - gripZ;
  return {
    openingM: palmsFit(world, centre, wideWay, thing.entityId) ? wideM : open,
    riseM: Math.max(0, aboveGripM) + PALM_HALF_LENGTH_M + 0.005,
    // Farther apart palms reach farther, and so does the way up.
    closesToM: Math.max(widthM, openingM),
  };
}

/** Lets steps pass until hands and trunk have reached their targets. */
export const armsDone = (ctx: SkillContext): Generator<void, boolean, void> =>
  until(() => !ctx.core.world.robot.hands.isMoving(ctx.core.world.body), ARMS_WITHIN_STEPS * slowerBy(ctx.core.world));

/** How hands leave a thing: their opening, and their rise before they move elsewhere, metres. */
export interface Leaving {
  openingM: number;
  riseM: number;
  /** The smallest distance of the palms that the posture must suit. @default that on a cube */
  closesToM?: number;
}
const LEAVING_A_CUBE: Leaving = { openingM: CLEAR_OPENING_M - 0.04, riseM: CLEAR_RISE_M };

/** Opens the hands, raises them clear of things between them, and sends them back to hang. Ends when they are on their way. */
export function* withdraw(ctx: SkillContext, leaving: Leaving = leavingOf(ctx)): Generator<void, void, void> {
  const {
    robot: { hands },
    body,
  } = ctx.core.world;
  const from = hands.grip(body);
  const openingM = Math.max(from.openingM, leaving.openingM);
  hands.setOpening(body, openingM, OPEN_S);
  yield* armsDone(ctx);
  const [x, y, z] = from.centre;
  const overAll = passingHeight(ctx.core.world, from.centre, EMPTY_HANDS, null);
  for (const height of [Math.max(z + leaving.riseM, overAll), z + leaving.riseM]) {
    const { closesToM } = leaving;
    const up = { centre: [x, y, height] as const, yawRad: from.yawRad, openingM };
    if (!hands.moveTo(body, closesToM === undefined ? up : { ...up, closesToM })) continue;
    yield* armsDone(ctx);
    break;
  }
  if (isBulkyNear(ctx.core.world, from.centre)) yield* drawDown(ctx, overAll);
  hands.stow(body);
}

/**
 * Raises the empty hands close to the body, high enough to pass over all that stands near: arms that swing up at once would
 * strike it.
 */
export function* drawUp(ctx: SkillContext, overAllM: number): Generator<void, void, void> {
  const { closeIn, highestCarryM } = ctx.core.world.robot.gripper;
  for (const [index, place] of closeIn.entries()) {
    const heightM = index === closeIn.length - 1 ? Math.max(place.heightM, overAllM) : place.heightM;
    yield* moveClose(ctx, place.aheadM, Math.min(heightM, highestCarryM));
  }
}

/** Lowers the raised hands along the same path, until they can hang. */
function* drawDown(ctx: SkillContext, overAllM: number): Generator<void, void, void> {
  const { closeIn, highestCarryM } = ctx.core.world.robot.gripper;
  for (const [index, place] of [...closeIn].reverse().entries()) {
    const heightM = index === 0 ? Math.max(place.heightM, overAllM) : place.heightM;
    yield* moveClose(ctx, place.aheadM, Math.min(heightM, highestCarryM));
  }
}

/** Returns the point at a distance ahead of a base pose, at a height. World frame, metres. */
export const aheadOf = ({ x, y, yawRad }: PlanarPose, aheadM: number, z: number): Vec3 => [
  x + aheadM * portable.cos(yawRad),
  y + aheadM * portable.sin(yawRad),
  z,
];

function* moveClose(ctx: SkillContext, aheadM: number, z: number): Generator<void, void, void> {
  const { world } = ctx.core;
  const { hands, gripper } = world.robot;
  const at = base.pose(world);
  const nowM = Math.min(hands.grip(world.body).openingM, gripper.openingM);
  for (const nearerM of NEARER_M) {
    const point = aheadOf(at, aheadM - nearerM, z);
    const openingM = handsFit(world, point, at.yawRad, nowM) ? nowM : Math.min(nowM, CLOSE_OPENING_M);
    const grip = { centre: point, yawRad: at.yawRad, openingM, closesToM: openingM };
    if (!hands.solveReach(world, at, grip).feasible || !hands.moveTo(world.body, grip)) continue;
    yield* armsDone(ctx);
    return;
  }
}

/**
 * Brings the arms back before the robot walks, after a pick or place that ended early left them where they were stopped:
 * before the chest with a cube, otherwise clear of everything and down.
 */
export function* straightenUp(ctx: SkillContext): Generator<void, void, void> {
  const { core } = ctx;
  if (!core.armsAstray) return;
  const { world } = core;
  if (grasp.heldEntityId(world) !== null) world.robot.hands.carry(world.body, carrying(world));
  else yield* withdraw(ctx);
  core.armsAstray = !(yield* armsDone(ctx));
}
