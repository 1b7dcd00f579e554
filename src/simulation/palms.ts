import type RAPIER from '@dimforge/rapier3d-compat';
import * as portable from '../common/portable-math.ts';
import type { RigidPose } from '../protocol/wire/render-state.ts';
import * as groups from './collision-groups.ts';
import type { PalmCentre, RobotBody } from './robot.ts';
import type { BaseState, Palm, Palms } from './sim-world.ts';
import type { Thing } from './thing.ts';

/** The base's motion of one step: a small turn about a pivot, and a shift; world frame. */
export interface StepMotion {
  x: number;
  y: number;
  turnRad: number;
  pivotX: number;
  pivotY: number;
}

/** Through a palm, from its inner face to its outer one. */
export const PALM_THICKNESS_M = 0.02;
/** Full extents in the hand's frame: x across the fingers, y through the palm, z along the hand. */
const PALM_SIZE_M = { x: 0.08, y: PALM_THICKNESS_M, z: 0.1 };
/** From the middle of a palm to its ends along the hand: so far it reaches below, when the hand hangs down or lies level on a thing's side. */
export const PALM_HALF_LENGTH_M = PALM_SIZE_M.z / 2;
const PALM_FRICTION = 1;

/**
 * A cube whose centre is this near to a palm's may be touched soon: their half diagonals are 0.2 m, and nothing comes nearer by
 * more than a few centimetres in a step. The palms leave physics at a slightly larger distance than they enter.
 */
const NEAR_M = 0.3;
const FAR_M = 0.35;
/** Half diagonals of a palm and a cube. */
const CLEAR_M = 0.2;

const _follow_position = { x: 0, y: 0, z: 0 };
const _follow_rotation = { x: 0, y: 0, z: 0, w: 1 };

/** Puts both palms into the physics world, at the body's places. */
export function createPalms(rapier: typeof RAPIER, physics: RAPIER.World, body: RobotBody): Palms {
  const palm = ({ position: [x, y, z], orientation: [qx, qy, qz, qw] }: RigidPose): Palm => {
    const rigidBody = physics.createRigidBody(
      rapier.RigidBodyDesc.kinematicPositionBased().setTranslation(x, y, z).setRotation({ x: qx, y: qy, z: qz, w: qw }),
    );
    const collider = physics.createCollider(
      rapier.ColliderDesc.cuboid(PALM_SIZE_M.x / 2, PALM_SIZE_M.y / 2, PALM_SIZE_M.z / 2)
        .setFriction(PALM_FRICTION)
        .setCollisionGroups(groups.PALM_GROUP),
      rigidBody,
    );
    return { rigidBody, collider };
  };
  const { right, left } = body.palms;
  return { right: palm(right), left: palm(left), arePresent: true, giveWay: false };
}

/** Returns whether the centre of a thing is near a palm, by the distance that applies to palms in physics or out of it. */
export const isNearThing = ({ arePresent }: Palms, body: RobotBody, all: readonly Thing[]): boolean =>
  isAnyWithin(arePresent ? FAR_M : NEAR_M, body, all, null);

/** Returns whether no thing but the excepted one is so near to a palm that they could overlap. */
export const areClear = (body: RobotBody, all: readonly Thing[], except: Thing | null): boolean =>
  !isAnyWithin(CLEAR_M, body, all, except);

function isAnyWithin(distanceM: number, { palmCentres }: RobotBody, all: readonly Thing[], except: Thing | null): boolean {
  const { right, left } = palmCentres;
  return all.some((thing) => {
    if (thing === except) return false;
    const { x, y, z } = thing.position;
    const toRightM = portable.hypot(x - right.x, y - right.y, z - right.z);
    const toLeftM = portable.hypot(x - left.x, y - left.y, z - left.z);
    // Measured from a cube's surface; another thing's may reach farther out.
    return Math.min(toRightM, toLeftM) - thing.beyondCubeM < distanceM;
  });
}

/** Brings the palms into physics at the body's places, or takes them out of it. */
export function setPresent(palms: Palms, body: RobotBody, arePresent: boolean): void {
  if (palms.arePresent === arePresent) return;
  palms.arePresent = arePresent;
  const poses = body.palms;
  for (const side of ['right', 'left'] as const) {
    const { rigidBody } = palms[side];
    if (arePresent) {
      const { position, orientation } = poses[side];
      rigidBody.setTranslation({ x: position[0], y: position[1], z: position[2] }, true);
      rigidBody.setRotation({ x: orientation[0], y: orientation[1], z: orientation[2], w: orientation[3] }, true);
    }
    rigidBody.setEnabled(arePresent);
  }
}

/** Computes how the base will move in the next step at its present velocity. */
export function nextMotion({ pose, velocity }: BaseState, dtS: number, out: StepMotion): void {
  const [cos, sin] = [portable.cos(pose.yawRad), portable.sin(pose.yawRad)];
  out.x = (velocity.vx * cos - velocity.vy * sin) * dtS;
  out.y = (velocity.vx * sin + velocity.vy * cos) * dtS;
  out.turnRad = velocity.wz * dtS;
  out.pivotX = pose.x;
  out.pivotY = pose.y;
}

/** Where a point of the moving robot will be after that motion. */
export function movePoint(x: number, y: number, motion: StepMotion, out: { x: number; y: number }): void {
  out.x = x + motion.x - (y - motion.pivotY) * motion.turnRad;
  out.y = y + motion.y + (x - motion.pivotX) * motion.turnRad;
}

/**
 * Gives the palms their next place in physics: the body's place, carried on by the base's motion, so that they do not trail a
 * step behind a walking body.
 */
export function follow({ right, left }: Palms, body: RobotBody, motion: StepMotion): void {
  const poses = body.palms;
  followOne(right, poses.right, motion);
  followOne(left, poses.left, motion);
}

function followOne({ rigidBody }: Palm, { position, orientation: [x, y, z, w] }: RigidPose, motion: StepMotion): void {
  movePoint(position[0], position[1], motion, _follow_position);
  _follow_position.z = position[2];
  // A small turn about the world's z axis, before the palm's own orientation; physics makes it a unit quaternion.
  const half = motion.turnRad / 2;
  // A quaternion and its opposite are the same rotation, and the engine takes the way from one to the other for a whole turn in a step.
  const now = rigidBody.rotation();
  const sign = now.x * x + now.y * y + now.z * z + now.w * w < 0 ? -1 : 1;
  _follow_rotation.x = sign * (x - half * y);
  _follow_rotation.y = sign * (y + half * x);
  _follow_rotation.z = sign * (z + half * w);
  _follow_rotation.w = sign * (w - half * z);
  rigidBody.setNextKinematicTranslation(_follow_position);
  rigidBody.setNextKinematicRotation(_follow_rotation);
}

/** Between the palms' inner faces, metres. */
export const innerSpanM = (body: RobotBody): number => spanM(body) - PALM_THICKNESS_M;

/** Between the palms' centres, metres. */
export function spanM({ palmCentres: { right, left } }: RobotBody): number {
  return portable.hypot(left.x - right.x, left.y - right.y, left.z - right.z);
}

/**
 * Computes the middle between the palms' centres, world frame.
 * @param out receives it; @default a new point
 */
export function middleOfPalms({ palmCentres: { right, left } }: RobotBody, out: PalmCentre = { x: 0, y: 0, z: 0 }): PalmCentre {
  out.x = (right.x + left.x) / 2;
  out.y = (right.y + left.y) / 2;
  out.z = (right.z + left.z) / 2;
  return out;
}

/** Returns where the hands point in the floor plane, square to the line from the right palm to the left; world frame. */
export const palmsYawRad = ({ palmCentres: { right, left } }: RobotBody): number =>
  portable.atan2(right.x - left.x, left.y - right.y);
