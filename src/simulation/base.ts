import type RAPIER from '@dimforge/rapier3d-compat';
import { clamp } from '../common/clamp.ts';
import * as portable from '../common/portable-math.ts';
import type { PlanarPose } from '../protocol/wire/geometry.ts';
import * as limits from '../protocol/wire/limits.ts';
import * as groups from './collision-groups.ts';
import { closestContact } from './contact.ts';
import { requireFinite, requireSimulated } from './finite.ts';
import type { Robot } from './robot.ts';
import type { BaseState, BodyVelocity, SimWorld } from './sim-world.ts';

/** The collider is this much smaller than the planner's disc, so that a planned pose never touches. */
const COLLIDER_MARGIN_M = 0.01;
/**
 * Braking when the command is zero is harder than ordinary acceleration: from top speed the robot must stand within
 * `STOP_WITHIN_S` (promise P7).
 */
const BRAKE_LINEAR_MPS2 = limits.MAX_LINEAR_MPS / (limits.STOP_WITHIN_S - 0.05);
const BRAKE_ANGULAR_RPS2 = limits.MAX_ANGULAR_RPS / (limits.STOP_WITHIN_S - 0.05);
/** The reference may lead the body by this much; more would wind up while something holds the body. */
const LEAD_LINEAR_MPS = 0.05;
const LEAD_ANGULAR_RPS = 0.15;
/** A contact counts as in the way when its direction is within about 70 degrees of the commanded motion. */
const BLOCKING_COSINE = 0.34;
const TOUCHING_M = 0.005;
/** A thing that is deeper than this inside of the base, which moves faster than this, is jammed: it cannot give way. */
const JAMMED_M = 0.006;
const JAMS_FROM_MPS = 0.05;

/** Below these speeds the drive has nothing left to brake. */
const STILL_MPS = 1e-5;
const STILL_RPS = 1e-5;

const _drive_impulse = { x: 0, y: 0, z: 0 };
const _read_vector = { x: 0, y: 0, z: 0 };
const _read_velocity = { x: 0, y: 0, z: 0 };
const _read_spin = { x: 0, y: 0, z: 0 };
const _read_rotation = { x: 0, y: 0, z: 0, w: 1 };
const ZERO = { x: 0, y: 0, z: 0 };

/** Returns the inertia of the base about its axis: that of a disc of its mass. */
const yawInertiaKgm2 = ({ model, chassis }: Robot): number => 0.5 * chassis.massKg * model.radiusM * model.radiusM;

/** Puts the robot's base into the physics world, standing at `pose`. */
export function createBase(rapier: typeof RAPIER, physics: RAPIER.World, pose: PlanarPose, robot: Robot): BaseState {
  const { massKg, heightM } = robot.chassis;
  const inertia = yawInertiaKgm2(robot);
  const halfYaw = pose.yawRad / 2;
  const rigidBody = physics.createRigidBody(
    rapier.RigidBodyDesc.dynamic()
      .setTranslation(pose.x, pose.y, heightM / 2)
      .setRotation({ x: 0, y: 0, z: portable.sin(halfYaw), w: portable.cos(halfYaw) })
      .enabledTranslations(true, true, false)
      .enabledRotations(false, false, true)
      .setGravityScale(0)
      .setAdditionalMassProperties(massKg, ZERO, { x: inertia, y: inertia, z: inertia }, { x: 0, y: 0, z: 0, w: 1 }),
  );
  const collider = physics.createCollider(
    // Rapier's cylinders stand along y.
    rapier.ColliderDesc.cylinder(heightM / 2, robot.model.radiusM - COLLIDER_MARGIN_M)
      .setRotation({ x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 })
      .setDensity(0)
      .setFriction(0.1)
      .setFrictionCombineRule(rapier.CoefficientCombineRule.Min)
      .setCollisionGroups(groups.BASE_GROUP),
    rigidBody,
  );
  // Without this the mass is known only from the second step on, and the first push is lost.
  rigidBody.recomputeMassPropertiesFromColliders();
  return {
    rigidBody,
    collider,
    command: { vx: 0, vy: 0, wz: 0 },
    reference: { vx: 0, vy: 0, wz: 0 },
    pose: { ...pose },
    velocity: { vx: 0, vy: 0, wz: 0 },
  };
}

/**
 * Sets the wanted velocity (base frame, already clamped); it holds until the next call. All zero brakes.
 * @throws NotFiniteError; the earlier command then holds on
 */
export function setCommand(world: SimWorld, command: BodyVelocity): void {
  requireFinite('the commanded velocity', command.vx, command.vy, command.wz);
  world.base.command.vx = command.vx;
  world.base.command.vy = command.vy;
  world.base.command.wz = command.wz;
}

/** Returns the velocity that the base is commanded to have, base frame. */
export const command = (world: SimWorld): BodyVelocity => ({ ...world.base.command });
/** Returns the pose of the base, world frame. */
export const pose = (world: SimWorld): PlanarPose => ({ ...world.base.pose });
/** Returns the velocity of the base, base frame, as physics solved it in the last step. */
export const measuredVelocity = (world: SimWorld): BodyVelocity => ({ ...world.base.velocity });

/** Returns whether nothing is commanded and the body is slower than the thresholds of promise P7. */
export function isStopped(world: SimWorld): boolean {
  const { command: wanted, velocity } = world.base;
  return isZero(wanted) && speedMpsOf(velocity) < limits.STOPPED_LINEAR_MPS && Math.abs(velocity.wz) < limits.STOPPED_ANGULAR_RPS;
}

const isZero = (velocity: BodyVelocity): boolean => velocity.vx === 0 && velocity.vy === 0 && velocity.wz === 0;
const speedMpsOf = (velocity: BodyVelocity): number => portable.hypot(velocity.vx, velocity.vy);

/** Moves the reference towards the command and pushes the body towards the reference, both within their limits. */
export function drive(base: BaseState, robot: Robot, dtS: number): void {
  const { command: wanted, reference, velocity, rigidBody } = base;
  const braking = isZero(wanted);
  // The base stands: no push, so that physics may let the body sleep.
  if (braking && isZero(reference) && speedMpsOf(velocity) < STILL_MPS && Math.abs(velocity.wz) < STILL_RPS) return;

  const leadMps = speedMpsOf({ vx: reference.vx - velocity.vx, vy: reference.vy - velocity.vy, wz: 0 });
  if (leadMps > LEAD_LINEAR_MPS) {
    const keptShare = LEAD_LINEAR_MPS / leadMps;
    reference.vx = velocity.vx + (reference.vx - velocity.vx) * keptShare;
    reference.vy = velocity.vy + (reference.vy - velocity.vy) * keptShare;
  }
  reference.wz = velocity.wz + clamp(reference.wz - velocity.wz, -LEAD_ANGULAR_RPS, LEAD_ANGULAR_RPS);

  const mostChangeMps = (braking ? BRAKE_LINEAR_MPS2 : limits.MAX_LINEAR_MPS2) * dtS;
  const mostChangeRps = (braking ? BRAKE_ANGULAR_RPS2 : limits.MAX_ANGULAR_RPS2) * dtS;
  // From the reference to the command.
  const [gapXMps, gapYMps] = [wanted.vx - reference.vx, wanted.vy - reference.vy];
  const gapMps = portable.hypot(gapXMps, gapYMps);
  const share = gapMps > mostChangeMps ? mostChangeMps / gapMps : 1;
  reference.vx = share === 1 ? wanted.vx : reference.vx + gapXMps * share;
  reference.vy = share === 1 ? wanted.vy : reference.vy + gapYMps * share;
  const gapRps = wanted.wz - reference.wz;
  reference.wz = Math.abs(gapRps) <= mostChangeRps ? wanted.wz : reference.wz + clamp(gapRps, -mostChangeRps, mostChangeRps);

  push(rigidBody, base, robot, dtS);
}

function push(rigidBody: RAPIER.RigidBody, { reference, velocity, pose: at }: BaseState, robot: Robot, dtS: number): void {
  const { massKg, maxForceN, maxTorqueNm } = robot.chassis;
  // The body turns during the step: aim for the direction it will have in the middle of it.
  const aimYaw = at.yawRad + (reference.wz * dtS) / 2;
  const [aimCos, aimSin] = [portable.cos(aimYaw), portable.sin(aimYaw)];
  const [nowCos, nowSin] = [portable.cos(at.yawRad), portable.sin(at.yawRad)];
  // From the body's velocity to the reference, world frame.
  const errorXMps = reference.vx * aimCos - reference.vy * aimSin - (velocity.vx * nowCos - velocity.vy * nowSin);
  const errorYMps = reference.vx * aimSin + reference.vy * aimCos - (velocity.vx * nowSin + velocity.vy * nowCos);
  const wantedNs = massKg * portable.hypot(errorXMps, errorYMps);
  const share = wantedNs > maxForceN * dtS ? (maxForceN * dtS) / wantedNs : 1;
  _drive_impulse.x = massKg * errorXMps * share;
  _drive_impulse.y = massKg * errorYMps * share;
  _drive_impulse.z = 0;
  rigidBody.applyImpulse(_drive_impulse, true);
  _drive_impulse.x = 0;
  _drive_impulse.y = 0;
  const mostTurnNms = maxTorqueNm * dtS;
  _drive_impulse.z = clamp(yawInertiaKgm2(robot) * (reference.wz - velocity.wz), -mostTurnNms, mostTurnNms);
  rigidBody.applyTorqueImpulse(_drive_impulse, true);
}

/**
 * Takes away the speed at which a moving base presses into a thing that does not give way. Contacts are as stiff as suits the lighter body: the heavy base
 * would press a cube some centimetres into wall and floor behind it before they stopped it.
 */
export function stopAtJammed({ base: { collider, rigidBody, velocity }, physics }: SimWorld): void {
  if (speedMpsOf(velocity) < JAMS_FROM_MPS) return;
  physics.contactPairsWith(collider, (other) => {
    if (other.parent()?.isFixed() !== false) return;
    const contact = closestContact(physics, collider, other);
    if (!contact || contact.gapM > -JAMMED_M) return;
    rigidBody.linvel(_read_velocity);
    const { x, y } = contact.direction;
    const pressingMps = _read_velocity.x * x + _read_velocity.y * y;
    if (pressingMps <= 0) return;
    _read_velocity.x -= pressingMps * x;
    _read_velocity.y -= pressingMps * y;
    rigidBody.setLinvel(_read_velocity, true);
  });
}

/**
 * Reads pose and velocity back from physics. A sleeping body stays where it was, and still.
 * @throws NotFiniteError when physics has lost them; the earlier values stay
 */
export function readBack(base: BaseState): void {
  const { rigidBody, pose: at, velocity } = base;
  if (rigidBody.isSleeping()) {
    velocity.vx = 0;
    velocity.vy = 0;
    velocity.wz = 0;
    return;
  }
  requireSimulated('the base', rigidBody);
  rigidBody.translation(_read_vector);
  rigidBody.rotation(_read_rotation);
  rigidBody.linvel(_read_velocity);
  rigidBody.angvel(_read_spin);
  requireFinite('the pose of the base', _read_vector.x, _read_vector.y, _read_rotation.z, _read_rotation.w);
  requireFinite('the velocity of the base', _read_velocity.x, _read_velocity.y, _read_spin.z);
  at.x = _read_vector.x;
  at.y = _read_vector.y;
  at.yawRad = 2 * portable.atan2(_read_rotation.z, _read_rotation.w);
  if (at.yawRad > Math.PI) at.yawRad -= 2 * Math.PI;
  else if (at.yawRad <= -Math.PI) at.yawRad += 2 * Math.PI;
  const [cos, sin] = [portable.cos(at.yawRad), portable.sin(at.yawRad)];
  velocity.vx = _read_velocity.x * cos + _read_velocity.y * sin;
  velocity.vy = -_read_velocity.x * sin + _read_velocity.y * cos;
  velocity.wz = _read_spin.z;
}

/** Something the base touches, and the direction from the base to it (unit, world floor plane). */
export interface BaseContact {
  id: string;
  directionX: number;
  directionY: number;
}

/** Returns everything that the base touches now: obstacles by their id, things by theirs. */
export function contacts(world: SimWorld): BaseContact[] {
  const found: BaseContact[] = [];
  const { collider } = world.base;
  world.physics.contactPairsWith(collider, (other) => {
    const id = world.colliderIds.get(other.handle);
    if (id === undefined) return;
    const contact = closestContact(world.physics, collider, other);
    if (!contact || contact.gapM > TOUCHING_M) return;
    found.push({ id, directionX: contact.direction.x, directionY: contact.direction.y });
  });
  return found;
}

/** Returns the obstacle or thing that the base presses against in the direction of its command, or null. */
export function blocker(world: SimWorld): string | null {
  const { command: wanted, pose: at } = world.base;
  const speedMps = speedMpsOf(wanted);
  if (speedMps === 0) return null;
  const [cos, sin] = [portable.cos(at.yawRad), portable.sin(at.yawRad)];
  const headingX = (wanted.vx * cos - wanted.vy * sin) / speedMps;
  const headingY = (wanted.vx * sin + wanted.vy * cos) / speedMps;
  let best: { id: string; cosine: number } | null = null;
  for (const { id, directionX, directionY } of contacts(world)) {
    const cosine = directionX * headingX + directionY * headingY;
    if (cosine > (best?.cosine ?? BLOCKING_COSINE)) best = { id, cosine };
  }
  return best?.id ?? null;
}
