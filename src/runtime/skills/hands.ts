import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import * as grasp from '../../simulation/grasp.ts';
import type { GripPose } from '../../simulation/robot.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import type { GripWay } from './grips.ts';
import { slowerBy } from './hand-room.ts';
import { armsDone, OPENS_BY_M } from './posture.ts';
import { type SkillContext, steps } from './skill.ts';

/** Closing on a thing has failed when the hands are this much closer than it is wide. */
const CLOSES_BY_M = 0.02;
/** Hands come from this far above a cube's centre: past its upper face and half a palm. */
const ABOVE_M = 0.14;
/** A thing that has been taken rises this far before it moves elsewhere. */
export const LIFT_M = 0.1;

/** Returns the opening with which the hands go over a thing. */
export const openM = ({ robot: { gripper } }: SimWorld, { widthM }: GripWay): number =>
  Math.min(widthM + OPENS_BY_M, gripper.openingM);
/** Returns the opening at which closing on a thing has failed. */
export const closedM = ({ widthM }: GripWay): number => widthM - CLOSES_BY_M;
/** Returns how far above the place of the hands on a thing they come from. */
export const aboveM = ({ topM }: GripWay): number => ABOVE_M + (topM - CUBE_EDGE_M / 2);

const CLOSE_S = 0.28;
const CLOSE_WITHIN_STEPS = steps(0.5);
const AROUND_WITHIN_STEPS = steps(2);

/**
 * Returns a grip about a point of the world frame, metres.
 * @param openingM between the palms
 * @param raiseM how much higher than the point
 */
export const gripAt = ([x, y, z]: Vec3, yawRad: number, openingM: number, raiseM = 0): GripPose => ({
  centre: [x, y, z + raiseM],
  yawRad,
  openingM,
});

/**
 * Returns the grip that takes a thing a certain way.
 * @param centre the place of the thing's centre, world frame
 * @param raiseM how far above their place on the thing the hands are
 */
export function gripOn([x, y, z]: Vec3, way: GripWay, openingM: number, raiseM = 0): GripPose {
  const grip = gripAt([x, y, z + way.raiseM], way.yawRad, openingM, raiseM);
  return way.isCube ? grip : { ...grip, closesToM: closedM(way) };
}

/** Sends the hands to a grip and waits until they are there; false when it is out of reach or they do not arrive. */
export function* handsTo(ctx: SkillContext, grip: GripPose, durationS?: number): Generator<void, boolean, void> {
  const { robot, body } = ctx.core.world;
  if (!robot.hands.moveTo(body, grip, durationS === undefined ? {} : { durationS })) return false;
  return yield* armsDone(ctx);
}

/** Closes the hands until both palms touch exactly that thing, and takes it; false when they close on nothing. */
export function* closeOn(ctx: SkillContext, entityId: string, way: GripWay): Generator<void, boolean, void> {
  const { world } = ctx.core;
  world.robot.hands.setOpening(world.body, closedM(way), CLOSE_S);
  for (let step = 0; step < CLOSE_WITHIN_STEPS; step += 1) {
    yield;
    const touch = grasp.touching(world, entityId);
    if (touch.right && touch.left && grasp.attach(world, entityId)) {
      world.robot.hands.freezeOpening(world.body);
      return true;
    }
    if (!world.robot.hands.isMoving(world.body)) return false;
  }
  return false;
}

/** Lets steps pass during a motion, as long as the thing stays in the hands. */
export function* holdWhile(ctx: SkillContext, entityId: string, moving: () => boolean): Generator<void, boolean, void> {
  const { world } = ctx.core;
  const withinSteps = AROUND_WITHIN_STEPS * slowerBy(world);
  for (let step = 0; step < withinSteps; step += 1) {
    if (grasp.heldEntityId(world) !== entityId) return false;
    if (!moving()) return true;
    yield;
  }
  return grasp.heldEntityId(world) === entityId;
}
