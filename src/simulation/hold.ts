import type RAPIER from '@dimforge/rapier3d-compat';
import * as portable from '../common/portable-math.ts';
import { HALF_CUBE_M, halfExtents, inertiaKgm2 } from './extents.ts';
import { middleOfPalms, movePoint, PALM_THICKNESS_M, palmsYawRad, type StepMotion, spanM } from './palms.ts';
import { conjugate, difference, multiply, rotate } from './quaternion.ts';
import type { RobotBody } from './robot.ts';
import type { Hold } from './sim-world.ts';
import type { Thing } from './thing.ts';

const CARRIER_MASS_KG = 1;
const CARRIER_INERTIA_KGM2 = 0.02;
/** The strength of two arms and the friction of two palms. */
const GRIP_FORCE_N = 60;
const GRIP_TORQUE_NM = 6;

const ZERO = { x: 0, y: 0, z: 0 };
const IDENTITY = { x: 0, y: 0, z: 0, w: 1 };
const STANDING: StepMotion = { x: 0, y: 0, turnRad: 0, pivotX: 0, pivotY: 0 };
const _drive_impulse = { x: 0, y: 0, z: 0 };
const _drive_position = { x: 0, y: 0, z: 0 };
const _drive_velocity = { x: 0, y: 0, z: 0 };
const _drive_rotation = { x: 0, y: 0, z: 0, w: 1 };

/** Joins a thing to the hands at its place between them. */
export function takeHold(rapier: typeof RAPIER, physics: RAPIER.World, body: RobotBody, thing: Thing): Hold {
  const target = { x: 0, y: 0, z: 0, yawRad: 0 };
  aim(target, body, STANDING);
  const rotation = { x: 0, y: 0, z: portable.sin(target.yawRad / 2), w: portable.cos(target.yawRad / 2) };
  const carrier = physics.createRigidBody(
    rapier.RigidBodyDesc.dynamic()
      .setTranslation(target.x, target.y, target.z)
      .setRotation(rotation)
      .setGravityScale(0)
      .setCanSleep(false)
      .setAdditionalMassProperties(
        CARRIER_MASS_KG,
        ZERO,
        { x: CARRIER_INERTIA_KGM2, y: CARRIER_INERTIA_KGM2, z: CARRIER_INERTIA_KGM2 },
        IDENTITY,
      ),
  );
  carrier.recomputeMassPropertiesFromColliders();
  const toCarrier = conjugate(rotation);
  const anchor = rotate(toCarrier, difference(thing.rigidBody.translation(), target));
  const turn = multiply(toCarrier, thing.rigidBody.rotation());
  physics.createImpulseJoint(rapier.JointData.fixed(anchor, turn, ZERO, IDENTITY), carrier, thing.rigidBody, true);
  return { thing, carrier, anchor, spanM: spanM(body), target, slipM: 0 };
}

/** Returns the width of a thing across hands that point along a heading, metres. */
export function heldWidthM({ shape, rotation }: Pick<Thing, 'shape' | 'rotation'>, handsYawRad: number): number {
  const toHands = { x: 0, y: 0, z: -portable.sin(handsYawRad / 2), w: portable.cos(handsYawRad / 2) };
  return 2 * halfExtents(shape, multiply(toHands, rotation))[1];
}

/** Returns how far the palms' inner faces were apart when they touched what they hold, metres. */
export const takenOpeningM = (hold: Hold): number => hold.spanM - PALM_THICKNESS_M;

/** The room that a held thing takes up round the middle between the palms, metres: to the front and the back, to either side, below and above. */
export interface HeldRoom {
  frontM: number;
  backM: number;
  sideM: number;
  belowM: number;
  aboveM: number;
}

/** A held cube counts as exactly in the middle. */
const CUBE_ROOM: HeldRoom = {
  frontM: HALF_CUBE_M,
  backM: HALF_CUBE_M,
  sideM: HALF_CUBE_M,
  belowM: HALF_CUBE_M,
  aboveM: HALF_CUBE_M,
};

/** Returns the room that the held thing takes up in the hands; that of a cube for empty hands. */
export function heldRoom(hold: Hold | null): HeldRoom {
  if (!hold || hold.thing.isCube) return CUBE_ROOM;
  const { thing, anchor, target } = hold;
  const toHands = { x: 0, y: 0, z: -portable.sin(target.yawRad / 2), w: portable.cos(target.yawRad / 2) };
  const [x, y, z] = halfExtents(thing.shape, multiply(toHands, thing.rotation));
  return {
    frontM: x + anchor.x,
    backM: x - anchor.x,
    sideM: y + Math.abs(anchor.y),
    belowM: z - anchor.z,
    aboveM: z + anchor.z,
  };
}

/** Separates thing and hands; the joint is removed with the carrier. */
export function endHold(physics: RAPIER.World, hold: Hold): void {
  physics.removeRigidBody(hold.carrier);
}

function aim(target: Hold['target'], body: RobotBody, motion: StepMotion): void {
  middleOfPalms(body, target);
  movePoint(target.x, target.y, motion, target);
  target.yawRad = palmsYawRad(body) + motion.turnRad;
}

/** Measures after a step how far the thing is from its place between the palms. */
export function measureSlip(hold: Hold): void {
  const { thing, anchor, target } = hold;
  const [cos, sin] = [portable.cos(target.yawRad), portable.sin(target.yawRad)];
  hold.slipM = portable.hypot(
    thing.position.x - (target.x + anchor.x * cos - anchor.y * sin),
    thing.position.y - (target.y + anchor.x * sin + anchor.y * cos),
    thing.position.z - (target.z + anchor.z),
  );
}

/** Pushes the carrier before a step so that it is with the palms after it, as far as its force allows. */
export function driveCarrier(hold: Hold, body: RobotBody, motion: StepMotion, dtS: number, gravityMps2: number): void {
  const { carrier, target, thing } = hold;
  aim(target, body, motion);
  carrier.translation(_drive_position);
  carrier.linvel(_drive_velocity);
  // The joint shares the push between carrier and thing, so it is computed for both; the thing's weight comes on top.
  const massKg = CARRIER_MASS_KG + thing.massKg;
  _drive_impulse.x = massKg * ((target.x - _drive_position.x) / dtS - _drive_velocity.x);
  _drive_impulse.y = massKg * ((target.y - _drive_position.y) / dtS - _drive_velocity.y);
  _drive_impulse.z = massKg * ((target.z - _drive_position.z) / dtS - _drive_velocity.z) + thing.massKg * gravityMps2 * dtS;
  limit(GRIP_FORCE_N * dtS);
  carrier.applyImpulse(_drive_impulse, true);

  carrier.rotation(_drive_rotation);
  carrier.angvel(_drive_velocity);
  const error = multiply(
    { x: 0, y: 0, z: portable.sin(target.yawRad / 2), w: portable.cos(target.yawRad / 2) },
    conjugate(_drive_rotation),
  );
  // Twice the vector part of a small turn is the turn itself; the sign picks the short way round.
  const rate = (error.w < 0 ? -2 : 2) / dtS;
  const turningKgm2 = turnedInertiaKgm2(thing);
  _drive_impulse.x = turningKgm2 * (error.x * rate - _drive_velocity.x);
  _drive_impulse.y = turningKgm2 * (error.y * rate - _drive_velocity.y);
  _drive_impulse.z = turningKgm2 * (error.z * rate - _drive_velocity.z);
  limit(GRIP_TORQUE_NM * dtS);
  carrier.applyTorqueImpulse(_drive_impulse, true);
}

/** The inertia that the hands reckon with: a cube's is so small beside the carrier's that it is left out. */
const turnedInertiaKgm2 = ({ isCube, shape, massKg }: Thing): number =>
  isCube ? CARRIER_INERTIA_KGM2 : CARRIER_INERTIA_KGM2 + inertiaKgm2(shape, massKg);

function limit(most: number): void {
  const size = portable.hypot(_drive_impulse.x, _drive_impulse.y, _drive_impulse.z);
  if (size <= most) return;
  _drive_impulse.x *= most / size;
  _drive_impulse.y *= most / size;
  _drive_impulse.z *= most / size;
}
