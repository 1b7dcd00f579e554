import type RAPIER from '@dimforge/rapier3d-compat';
import type { RigidPose } from '../protocol/render-state.ts';
import type { BaseState } from './base.ts';
import type { BodyState } from './body/body.ts';
import * as groups from './collision-groups.ts';
import { closestContact } from './contact.ts';
import { type Cube, setCarrier } from './cubes.ts';
import { conjugate, difference, multiply, rotate } from './quaternion.ts';
import type { SimWorld } from './world.ts';

/** The palms in physics, and what they hold. */
export interface GraspState {
  readonly palms: { readonly right: Palm; readonly left: Palm };
  /**
   * What a held cube is joined to: midway between the palms, upright, x ahead and y from the right palm to the left. Wrists
   * turn about the axis through both palms while the arms move, and a cube between two palms does not turn with them.
   */
  readonly grip: RAPIER.RigidBody;
  hold: Hold | null;
}

interface Palm {
  readonly rigidBody: RAPIER.RigidBody;
  readonly collider: RAPIER.Collider;
}

interface Hold {
  readonly cube: Cube;
  readonly joint: RAPIER.ImpulseJoint;
  /** Where the cube's centre was in the grip's frame when it was taken. */
  readonly anchor: RAPIER.Vector;
  /** Between the palms' centres when it was taken. */
  readonly spanM: number;
}

/** Palm box, full extents in the hand's frame (x across the fingers, y through the palm, z along the hand). */
const PALM_SIZE_M = { x: 0.08, y: 0.02, z: 0.1 };
const PALM_FRICTION = 1;
/** Surfaces closer than this touch. */
const TOUCHING_M = 0.001;
/** A held cube that has moved this far in the hand is lost. */
const SLIP_LIMIT_M = 0.05;
/** Palms this much farther apart than when they took a cube no longer hold it. */
const OPENED_M = 0.015;

const IDENTITY = { x: 0, y: 0, z: 0, w: 1 };
const _follow_position = { x: 0, y: 0, z: 0 };
const _follow_rotation = { x: 0, y: 0, z: 0, w: 1 };
const _follow_motion: StepMotion = { x: 0, y: 0, turnRad: 0, pivotX: 0, pivotY: 0 };
const NO_MOTION: StepMotion = { ..._follow_motion };
const _slip_position = { x: 0, y: 0, z: 0 };
const _slip_rotation = { x: 0, y: 0, z: 0, w: 1 };

/** Puts both palms into the physics world, where the body has them. */
export function createGrasp(rapier: typeof RAPIER, physics: RAPIER.World, body: BodyState): GraspState {
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
  const palms = { right: palm(body.palms.right), left: palm(body.palms.left) };
  const grip = physics.createRigidBody(rapier.RigidBodyDesc.kinematicPositionBased());
  placeGrip(body, NO_MOTION);
  grip.setTranslation(_follow_position, false);
  grip.setRotation(_follow_rotation, false);
  return { palms, grip, hold: null };
}

/**
 * Gives the palms their next place in physics: where the body has them, carried on by the base's motion of one step, so
 * that hands and what they hold do not trail behind a walking body.
 */
export function followBody({ palms, grip }: GraspState, body: BodyState, base: BaseState, dtS: number): void {
  const { yawRad } = base.pose;
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  _follow_motion.x = (base.velocity.vx * cos - base.velocity.vy * sin) * dtS;
  _follow_motion.y = (base.velocity.vx * sin + base.velocity.vy * cos) * dtS;
  _follow_motion.turnRad = base.velocity.wz * dtS;
  _follow_motion.pivotX = base.pose.x;
  _follow_motion.pivotY = base.pose.y;
  placePalm(body.palms.right, _follow_motion);
  moveTo(palms.right.rigidBody);
  placePalm(body.palms.left, _follow_motion);
  moveTo(palms.left.rigidBody);
  placeGrip(body, _follow_motion);
  moveTo(grip);
}

function moveTo(rigidBody: RAPIER.RigidBody): void {
  rigidBody.setNextKinematicTranslation(_follow_position);
  rigidBody.setNextKinematicRotation(_follow_rotation);
}

/** The base's motion of one step: a small turn about a pivot, and a shift; world frame. */
interface StepMotion {
  x: number;
  y: number;
  turnRad: number;
  pivotX: number;
  pivotY: number;
}

function placePoint(x: number, y: number, z: number, motion: StepMotion): void {
  _follow_position.x = x + motion.x - (y - motion.pivotY) * motion.turnRad;
  _follow_position.y = y + motion.y + (x - motion.pivotX) * motion.turnRad;
  _follow_position.z = z;
}

function placePalm({ position, orientation: [x, y, z, w] }: RigidPose, motion: StepMotion): void {
  placePoint(position[0], position[1], position[2], motion);
  // A small turn about the world's z axis, before the palm's own orientation; physics makes it a unit quaternion.
  const half = motion.turnRad / 2;
  _follow_rotation.x = x - half * y;
  _follow_rotation.y = y + half * x;
  _follow_rotation.z = z + half * w;
  _follow_rotation.w = w - half * z;
}

function placeGrip({ palms: { right, left } }: BodyState, motion: StepMotion): void {
  const [[rightX, rightY, rightZ], [leftX, leftY, leftZ]] = [right.position, left.position];
  placePoint((rightX + leftX) / 2, (rightY + leftY) / 2, (rightZ + leftZ) / 2, motion);
  const yawRad = Math.atan2(rightX - leftX, leftY - rightY) + motion.turnRad;
  _follow_rotation.x = 0;
  _follow_rotation.y = 0;
  _follow_rotation.z = Math.sin(yawRad / 2);
  _follow_rotation.w = Math.cos(yawRad / 2);
}

/** Which palms physics has in contact with exactly this cube. Both false for an unknown id. */
export function touching(world: SimWorld, entityId: string): { right: boolean; left: boolean } {
  const cube = world.cubes.byId.get(entityId);
  if (!cube) return { right: false, left: false };
  const { right, left } = world.grasp.palms;
  return { right: isTouching(world, right, cube), left: isTouching(world, left, cube) };
}

function isTouching({ physics }: SimWorld, palm: Palm, cube: Cube): boolean {
  const contact = closestContact(physics, palm.collider, cube.collider);
  return contact !== null && contact.gapM < TOUCHING_M;
}

/** The cube in the hands, or null. */
export const heldEntityId = (world: SimWorld): string | null => world.grasp.hold?.cube.entityId ?? null;

/**
 * Joins a cube to the hands as it stands between them.
 * @returns false, and nothing changes, unless the hands are empty and both palms touch that very cube.
 */
export function attach(world: SimWorld, entityId: string): boolean {
  const { grasp, cubes, rapier, physics } = world;
  const cube = cubes.byId.get(entityId);
  const touch = touching(world, entityId);
  if (!cube || grasp.hold || !touch.right || !touch.left) return false;
  const { grip } = grasp;
  const toGrip = conjugate(grip.rotation());
  const anchor = rotate(toGrip, difference(cube.rigidBody.translation(), grip.translation()));
  const turn = multiply(toGrip, cube.rigidBody.rotation());
  const joint = physics.createImpulseJoint(
    rapier.JointData.fixed(anchor, turn, { x: 0, y: 0, z: 0 }, IDENTITY),
    grip,
    cube.rigidBody,
    true,
  );
  setCarrier(cube, 'hands');
  grasp.hold = { cube, joint, anchor, spanM: palmSpanM(world.body) };
  return true;
}

/** Opens the grip: the held cube, if there is one, is free from the next step on. */
export function release(world: SimWorld): void {
  const { grasp, physics } = world;
  if (!grasp.hold) return;
  const { cube, joint } = grasp.hold;
  grasp.hold = null;
  physics.removeImpulseJoint(joint, true);
  setCarrier(cube, 'none');
}

/** How far the held cube has moved in the hand since it was taken, metres; 0 with empty hands. */
export function slipM({ grasp }: SimWorld): number {
  if (!grasp.hold) return 0;
  const { cube, anchor } = grasp.hold;
  const { grip } = grasp;
  const offset = rotate(conjugate(grip.rotation(_slip_rotation)), difference(cube.position, grip.translation(_slip_position)));
  return Math.hypot(offset.x - anchor.x, offset.y - anchor.y, offset.z - anchor.z);
}

/** After a step: a cube that the scene has pulled out of the hands, or that they have opened round, is let go, and the world says so. */
export function checkHold(world: SimWorld): void {
  const { hold } = world.grasp;
  if (!hold || (slipM(world) <= SLIP_LIMIT_M && palmSpanM(world.body) <= hold.spanM + OPENED_M)) return;
  release(world);
  world.events.push({ type: 'dropped', entityId: hold.cube.entityId });
}

const palmSpanM = ({ palms: { right, left } }: BodyState): number =>
  Math.hypot(left.position[0] - right.position[0], left.position[1] - right.position[1], left.position[2] - right.position[2]);
