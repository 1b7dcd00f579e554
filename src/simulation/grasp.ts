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
  hold: Hold | null;
}

interface Palm {
  readonly rigidBody: RAPIER.RigidBody;
  readonly collider: RAPIER.Collider;
}

interface Hold {
  readonly cube: Cube;
  readonly joint: RAPIER.ImpulseJoint;
  /** Where the cube's centre was in the right palm's frame when it was taken. */
  readonly anchor: RAPIER.Vector;
}

/** Palm box, full extents in the hand's frame (x across the fingers, y through the palm, z along the hand). */
const PALM_SIZE_M = { x: 0.08, y: 0.02, z: 0.1 };
const PALM_FRICTION = 1;
/** Surfaces closer than this touch. */
const TOUCHING_M = 0.001;
/** A held cube that has moved this far in the hand is lost. */
const SLIP_LIMIT_M = 0.05;

const IDENTITY = { x: 0, y: 0, z: 0, w: 1 };
const _follow_position = { x: 0, y: 0, z: 0 };
const _follow_rotation = { x: 0, y: 0, z: 0, w: 1 };
const _slip_palm = { x: 0, y: 0, z: 0 };
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
  return { palms: { right: palm(body.palms.right), left: palm(body.palms.left) }, hold: null };
}

/**
 * Gives the palms their next place in physics: where the body has them, carried on by the base's motion of one step, so
 * that hands and what they hold do not trail behind a walking body.
 */
export function followBody({ palms }: GraspState, body: BodyState, base: BaseState, dtS: number): void {
  follow(palms.right, body.palms.right, base, dtS);
  follow(palms.left, body.palms.left, base, dtS);
}

function follow({ rigidBody }: Palm, { position, orientation }: RigidPose, { pose, velocity }: BaseState, dtS: number): void {
  const [offsetX, offsetY] = [position[0] - pose.x, position[1] - pose.y];
  const [cos, sin] = [Math.cos(pose.yawRad), Math.sin(pose.yawRad)];
  const turnRad = velocity.wz * dtS;
  _follow_position.x = position[0] + (velocity.vx * cos - velocity.vy * sin) * dtS - offsetY * turnRad;
  _follow_position.y = position[1] + (velocity.vx * sin + velocity.vy * cos) * dtS + offsetX * turnRad;
  _follow_position.z = position[2];
  // A small turn about the world's z axis, before the palm's own orientation.
  const [x, y, z, w] = orientation;
  const half = turnRad / 2;
  _follow_rotation.x = x - half * y;
  _follow_rotation.y = y + half * x;
  _follow_rotation.z = z + half * w;
  _follow_rotation.w = w - half * z;
  const scale = 1 / Math.hypot(_follow_rotation.x, _follow_rotation.y, _follow_rotation.z, _follow_rotation.w);
  _follow_rotation.x *= scale;
  _follow_rotation.y *= scale;
  _follow_rotation.z *= scale;
  _follow_rotation.w *= scale;
  rigidBody.setNextKinematicTranslation(_follow_position);
  rigidBody.setNextKinematicRotation(_follow_rotation);
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
  const palm = grasp.palms.right.rigidBody;
  const toPalm = conjugate(palm.rotation());
  const anchor = rotate(toPalm, difference(cube.rigidBody.translation(), palm.translation()));
  const turn = multiply(toPalm, cube.rigidBody.rotation());
  const joint = physics.createImpulseJoint(
    rapier.JointData.fixed(anchor, turn, { x: 0, y: 0, z: 0 }, IDENTITY),
    palm,
    cube.rigidBody,
    true,
  );
  setCarrier(cube, 'hands');
  grasp.hold = { cube, joint, anchor };
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
  const palm = grasp.palms.right.rigidBody;
  const offset = rotate(conjugate(palm.rotation(_slip_rotation)), difference(cube.position, palm.translation(_slip_palm)));
  return Math.hypot(offset.x - anchor.x, offset.y - anchor.y, offset.z - anchor.z);
}

/** After a step: a cube that the scene has pulled out of the hands is let go, and the world says so. */
export function checkHold(world: SimWorld): void {
  const { hold } = world.grasp;
  if (!hold || slipM(world) <= SLIP_LIMIT_M) return;
  release(world);
  world.events.push({ type: 'dropped', entityId: hold.cube.entityId });
}
