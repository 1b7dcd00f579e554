import { JOINTS, ROOT_LINK } from '../../src/protocol/robots/humanoid.ts';
import { CUBE_EDGE_M } from '../../src/protocol/wire/scene.ts';
import type { RuntimeCore } from '../../src/runtime/core.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { notFinite } from './finite.ts';
import { type Grip, gripOf } from './grip.ts';

/**
 * The state, read from the physics bodies and joints of the world and from the places of the body's links; independent of skills,
 * the grasp and the list of things. World frame, metres, radians, seconds.
 */

export interface MovableTruth {
  readonly id: string;
  readonly colour: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly q: readonly [number, number, number, number];
  readonly linearMps: number;
  readonly angularRps: number;
  /** How many joints of the physics world hold it. */
  readonly joints: number;
  /** Its pose between the palms; only for a cube that a joint holds, and null also while physics has no palms. */
  readonly grip: Grip | null;
  /** Of its motion, its spin and its height, joules. */
  readonly energyJ: number;
}

export interface RobotTruth {
  readonly x: number;
  readonly y: number;
  readonly yawRad: number;
  readonly linearMps: number;
  readonly yawRateRps: number;
  /** All joints of the body, in the model's order. */
  readonly jointPositions: readonly number[];
  readonly eye: readonly [number, number, number];
  /** Unit vector along the pov camera's optical axis. */
  readonly gaze: readonly [number, number, number];
  /** Between the palms' centres, as the body has them. */
  readonly palmSpanM: number;
  readonly massKg: number;
  readonly yawInertiaKgm2: number;
  /** Ids of the things that press against the base. */
  readonly touching: readonly string[];
  /** The turn of the head's link against the trunk's, by their poses; positive yaw left, positive pitch down. */
  readonly head: { readonly yawRad: number; readonly pitchRad: number };
}

export interface Truth {
  /** The identity of the world: a reset makes another. */
  readonly world: object;
  readonly step: number;
  readonly robot: RobotTruth;
  readonly things: ReadonlyMap<string, MovableTruth>;
  /** Ids of the things that a joint holds. */
  readonly held: readonly string[];
  /**
   * The bodies of the physics beside the things and the carrier of a held one: always the same number, or something was left
   * behind.
   */
  readonly otherBodies: number;
  readonly otherColliders: number;
}

const yawOf = (x: number, y: number, z: number, w: number): number => Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));

/** The world in its present state. Sleeping things are copied from the last reading of the same world. */
export function readTruth(core: RuntimeCore, before: Truth | null): Truth {
  const { world } = core;
  const joints = new Map<number, number>();
  world.physics.impulseJoints.forEach((joint) => {
    for (const body of [joint.body1(), joint.body2()]) joints.set(body.handle, (joints.get(body.handle) ?? 0) + 1);
  });
  const earlier = before?.world === world ? before.things : null;
  const things = new Map<string, MovableTruth>();
  const held: string[] = [];
  for (const { entityId: id, colour, rigidBody } of world.things.all) {
    const count = joints.get(rigidBody.handle) ?? 0;
    if (count > 0) held.push(id);
    const known = earlier?.get(id);
    if (known && known.joints === count && known.linearMps === 0 && rigidBody.isSleeping()) {
      things.set(id, known);
      continue;
    }
    const p = rigidBody.translation();
    const q = rigidBody.rotation();
    const asleep = rigidBody.isSleeping();
    const v = rigidBody.linvel();
    const w = rigidBody.angvel();
    const linearMps = asleep ? 0 : Math.hypot(v.x, v.y, v.z);
    const angularRps = asleep ? 0 : Math.hypot(w.x, w.y, w.z);
    things.set(id, {
      id,
      colour,
      x: p.x,
      y: p.y,
      z: p.z,
      q: [q.x, q.y, q.z, q.w],
      linearMps,
      angularRps,
      joints: count,
      grip: count > 0 ? gripOf(world, p, q, known?.grip ?? null) : null,
      energyJ: energyOf(rigidBody.mass(), p.z, linearMps, angularRps),
    });
  }
  const otherBodies = world.physics.bodies.len() - things.size - held.length;
  const otherColliders =
    world.physics.colliders.len() - world.things.all.reduce((sum, { colliders }) => sum + colliders.length, 0);
  const truth = { world, step: world.step, robot: readRobot(world), things, held, otherBodies, otherColliders };
  if (!areFinite(truth) || !world.base.rigidBody.isEnabled()) requireFinite(core);
  return truth;
}

const GRAVITY_MPS2 = 9.81;

/** A cube's moment of inertia is a sixth of its mass times its edge squared, about any axis. */
const energyOf = (massKg: number, heightM: number, linearMps: number, angularRps: number): number =>
  massKg * (linearMps ** 2 / 2 + (CUBE_EDGE_M ** 2 * angularRps ** 2) / 12 + GRAVITY_MPS2 * heightM);

/** The cubes in contact with the base, according to physics. */
function touchingBase({ physics, base, things }: RuntimeCore['world']): string[] {
  const found: string[] = [];
  physics.contactPairsWith(base.collider, ({ handle }) => {
    const thing = things.all.find(({ colliders }) => colliders.some((collider) => collider.handle === handle));
    if (!thing) return;
    let points = 0;
    for (const collider of thing.colliders)
      physics.contactPair(base.collider, collider, (manifold) => {
        points += manifold.numSolverContacts();
      });
    if (points > 0) found.push(thing.entityId);
  });
  return found;
}

/** @throws if the world has a number that is not finite; every existing number is checked */
export function requireFinite(core: RuntimeCore): void {
  const found = notFinite(core);
  if (found.length > 0) throw new Error(`step ${core.world.step}: ${found.slice(0, 5).join('; ')} (${found.length} in all)`);
}

/**
 * Returns whether the numbers of a reading are finite. Cheap, for every step: a sum is not finite as soon as one number is not.
 */
function areFinite({ robot, things }: Pick<Truth, 'robot' | 'things'>): boolean {
  let sum = robot.x + robot.y + robot.yawRad + robot.linearMps + robot.yawRateRps;
  for (const rad of robot.jointPositions) sum += rad;
  for (const thing of things.values())
    sum += thing.x + thing.y + thing.z + thing.q[0] + thing.q[3] + thing.linearMps + thing.angularRps;
  return Number.isFinite(sum + robot.eye[0] + robot.eye[1] + robot.eye[2] + robot.gaze[0] + robot.gaze[2]);
}

const LINKS: readonly string[] = [ROOT_LINK, ...JOINTS.map(({ link }) => link)];
/** Of a link's frame among those of the body: nine numbers of rotation row by row, three of place. */
const FRAME_NUMBERS = 12;
const [TORSO_AT, HEAD_AT] = ['torso', 'head'].map((link) => LINKS.indexOf(link) * FRAME_NUMBERS) as [number, number];

/** The direction of a camera on the base, as the base sees it: from its optical axis. */
function readMastCamera(world: RuntimeCore['world']): RobotTruth['head'] {
  const [x, y, z, w] = world.body.povCamera.orientation;
  const [gx, gy, gz] = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
  const { x: qx, y: qy, z: qz, w: qw } = world.base.rigidBody.rotation();
  const yawRad = Math.atan2(gy, gx) - yawOf(qx, qy, qz, qw);
  return { yawRad: Math.atan2(Math.sin(yawRad), Math.cos(yawRad)), pitchRad: -Math.asin(gz) };
}

/**
 * The direction of the head's forward axis as the trunk sees it. Read it after the camera, which updates the frames of neck and
 * head.
 */
function readHead(world: RuntimeCore['world']): RobotTruth['head'] {
  if (world.robot.model.id !== 'humanoid') return readMastCamera(world);
  const { frames } = humanoidOf(world);
  const at = (frame: number, row: number, column: number): number => frames[frame + 3 * row + column] ?? Number.NaN;
  const ahead = [0, 1, 2].map((column) =>
    [0, 1, 2].reduce((sum, row) => sum + at(TORSO_AT, row, column) * at(HEAD_AT, row, 0), 0),
  );
  const [x = 1, y = 0, z = 0] = ahead;
  return { yawRad: Math.atan2(y, x), pitchRad: -Math.asin(Math.max(-1, Math.min(1, z))) };
}

function readRobot(world: RuntimeCore['world']): RobotTruth {
  const { rigidBody } = world.base;
  const p = rigidBody.translation();
  const q = rigidBody.rotation();
  const v = rigidBody.linvel();
  const { position, orientation } = world.body.povCamera;
  const [x, y, z, w] = orientation;
  const { right, left } = world.body.palmCentres;
  return {
    x: p.x,
    y: p.y,
    yawRad: yawOf(q.x, q.y, q.z, q.w),
    linearMps: Math.hypot(v.x, v.y),
    yawRateRps: Math.abs(rigidBody.angvel().z),
    jointPositions: Array.from(world.body.jointPositions),
    eye: [position[0], position[1], position[2]],
    // The third column of the rotation matrix: the direction of the frame's z axis.
    gaze: [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    head: readHead(world),
    palmSpanM: Math.hypot(left.x - right.x, left.y - right.y, left.z - right.z),
    massKg: rigidBody.mass(),
    yawInertiaKgm2: rigidBody.principalInertia().z,
    touching: touchingBase(world),
  };
}

/** The same angle in (-pi, pi]. */
export const wrap = (rad: number): number => Math.atan2(Math.sin(rad), Math.cos(rad));

export const apart = (a: { x: number; y: number; z: number }, b: { x: number; y: number; z: number }): number =>
  Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

export const planar = (a: { x: number; y: number }, b: { x: number; y: number }): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The angle from upright of the most upright of a cube's axes, radians. */
export function leanRad({ q: [x, y, z, w] }: MovableTruth): number {
  const zOfAxes = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  return Math.acos(Math.min(1, Math.max(...zOfAxes.map(Math.abs))));
}

/** The turn of the vertical faces of an upright cube against the world's axes, in [0, pi/2). */
export function turnRad({ q: [x, y, z, w] }: MovableTruth): number {
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  const level = columns.reduce((best, column) => (Math.abs(column[2] ?? 1) < Math.abs(best[2] ?? 1) ? column : best));
  const yaw = Math.atan2(level[1] ?? 0, level[0] ?? 1);
  return ((yaw % (Math.PI / 2)) + Math.PI / 2) % (Math.PI / 2);
}
