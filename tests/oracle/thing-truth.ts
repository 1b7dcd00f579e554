import type { ThingShape } from '../../src/protocol/wire/thing-shape.ts';
import type { RuntimeCore } from '../../src/runtime/core.ts';

/**
 * The exact places of things of any shape: their corners and rims, from only the bodies of the physics world. Independent of
 * skills, the grasp and the simulation's own measures. World frame, metres.
 */

type Point = readonly [number, number, number];
interface Quat {
  x: number;
  y: number;
  z: number;
  w: number;
}

export interface ThingTruth {
  readonly id: string;
  readonly shape: ThingShape;
  readonly centre: Point;
  /** Points on its hull: all corners of a box, 32 points on each rim of a cylinder. */
  readonly hull: readonly Point[];
  readonly bottomZ: number;
  readonly topZ: number;
  readonly isStill: boolean;
  /** How many joints hold it. */
  readonly joints: number;
  /** The vertical component of its own z axis: 1 when it stands upright. */
  readonly up: number;
  /** The vertical components of all three of its own axes. */
  readonly ups: Point;
  /** Returns a point in its own frame. */
  readonly local: (point: Point) => Point;
}

const RIM_POINTS = 32;
const STILL_MPS = 0.02;
const STILL_RPS = 0.1;

/** Turns by the matrix of the quaternion, row by row; backwards by its columns. */
const rowsOf = ({ x, y, z, w }: Quat): readonly Point[] => [
  [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
  [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
  [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const forth = (rows: readonly Point[], v: Point): Point => rows.map((row) => dot(row, v)) as unknown as Point;
const back = (rows: readonly Point[], v: Point): Point =>
  [0, 1, 2].map((column) => rows.reduce((sum, row, k) => sum + (row[column] ?? 0) * (v[k] ?? 0), 0)) as unknown as Point;

function hullOf(shape: ThingShape): Point[] {
  if (shape.kind === 'cylinder')
    return [-0.5, 0.5].flatMap((end) =>
      Array.from({ length: RIM_POINTS }, (_, k): Point => {
        const angle = (2 * Math.PI * k) / RIM_POINTS;
        return [shape.radiusM * Math.cos(angle), shape.radiusM * Math.sin(angle), end * shape.heightM];
      }),
    );
  const [x, y, z] = shape.size;
  return [-0.5, 0.5].flatMap((a) => [-0.5, 0.5].flatMap((b) => [-0.5, 0.5].map((c): Point => [a * x, b * y, c * z])));
}

/** A body as physics has it. */
interface BodyState {
  centre: Point;
  rotation: Quat;
  isStill: boolean;
  joints: number;
}

/** The pose of a thing of this shape with its body there. */
export function thingAt(id: string, shape: ThingShape, { centre, rotation, isStill, joints }: BodyState): ThingTruth {
  const [px, py, pz] = centre;
  const rows = rowsOf(rotation);
  const hull = hullOf(shape).map((corner): Point => {
    const [x, y, z] = forth(rows, corner);
    return [x + px, y + py, z + pz];
  });
  const heights = hull.map(([, , z]) => z);
  return {
    id,
    shape,
    centre,
    hull,
    bottomZ: Math.min(...heights),
    topZ: Math.max(...heights),
    isStill,
    joints,
    up: rows[2]?.[2] ?? 0,
    ups: rows[2] ?? [0, 0, 0],
    local: ([x, y, z]) => back(rows, [x - px, y - py, z - pz]),
  };
}

/** Reads a thing. @throws if no thing has this id */
export function thingTruth({ world }: Pick<RuntimeCore, 'world'>, id: string): ThingTruth {
  const thing = world.things.byId.get(id);
  if (!thing) throw new Error(`There is no ${id}.`);
  const { rigidBody, shape } = thing;
  const { x, y, z } = rigidBody.translation();
  let joints = 0;
  world.physics.impulseJoints.forEach((joint) => {
    if (joint.body1().handle === rigidBody.handle || joint.body2().handle === rigidBody.handle) joints += 1;
  });
  const [v, w] = [rigidBody.linvel(), rigidBody.angvel()];
  const isStill = rigidBody.isSleeping() || (Math.hypot(v.x, v.y, v.z) < STILL_MPS && Math.hypot(w.x, w.y, w.z) < STILL_RPS);
  return thingAt(id, shape, { centre: [x, y, z], rotation: rigidBody.rotation(), isStill, joints });
}

const TOUCH_M = 0.012;

/** Whether a thing stands on a level surface at this height. */
export const standsAt = (thing: ThingTruth, heightM: number): boolean =>
  thing.isStill && thing.joints === 0 && Math.abs(thing.bottomZ - heightM) < TOUCH_M;

/**
 * Whether it lies on top of another: its middle over the other's level top, and their heights meet. A box may lie on any of its
 * sides.
 */
export function liesOn(upper: ThingTruth, lower: ThingTruth): boolean {
  if (!lower.isStill || !standsAt(upper, lower.topZ)) return false;
  const at = lower.local(upper.centre);
  if (lower.shape.kind === 'cylinder') return Math.abs(lower.up) > 0.99 && Math.hypot(at[0], at[1]) < lower.shape.radiusM;
  const { size } = lower.shape;
  const vertical = lower.ups.findIndex((up) => Math.abs(up) > 0.99);
  return vertical >= 0 && [0, 1, 2].every((axis) => axis === vertical || Math.abs(at[axis] ?? 0) < (size[axis] ?? 0) / 2);
}

/** Whether the whole hull of a thing is within a container's walls, seen from above, and it stands on the container's floor. */
export function liesIn(inner: ThingTruth, container: ThingTruth): boolean {
  const { shape } = container;
  if (shape.kind !== 'container' || container.up < 0.99) return false;
  const [halfX, halfY] = [shape.size[0] / 2 - shape.wallM + 0.004, shape.size[1] / 2 - shape.wallM + 0.004];
  const isWithin = inner.hull.every((corner) => {
    const [x, y] = container.local(corner);
    return Math.abs(x) < halfX && Math.abs(y) < halfY;
  });
  return isWithin && standsAt(inner, container.bottomZ + shape.wallM);
}

/** Whether both palms' bodies are on two sides of a thing that a joint holds: only a joint and two palms hold it. */
export function isGripped({ world }: Pick<RuntimeCore, 'world'>, thing: ThingTruth): boolean {
  if (thing.joints !== 1) return false;
  const { palms } = world.grasp;
  const [right, left] = [palms.right.rigidBody.translation(), palms.left.rigidBody.translation()];
  const span = Math.hypot(left.x - right.x, left.y - right.y, left.z - right.z);
  const normal: Point = [(left.x - right.x) / span, (left.y - right.y) / span, (left.z - right.z) / span];
  const along = thing.hull.map((corner) => dot(normal, [corner[0] - right.x, corner[1] - right.y, corner[2] - right.z]));
  // From the right palm's face to the thing, and from the thing to the left palm's face.
  const [firstM, lastM] = [Math.min(...along) - 0.01, span - 0.01 - Math.max(...along)];
  const middleZ = (right.z + left.z) / 2;
  return Math.abs(firstM) < 0.02 && Math.abs(lastM) < 0.02 && middleZ > thing.bottomZ - 0.02 && middleZ < thing.topZ + 0.05;
}

/** Whether the middle of a thing is beside a container's walls on the outside, or its underside above their top. */
export function isOutOf(thing: ThingTruth, { shape, topZ, local }: ThingTruth): boolean {
  if (shape.kind !== 'container') return true;
  const [x, y] = local(thing.centre);
  return Math.abs(x) > shape.size[0] / 2 || Math.abs(y) > shape.size[1] / 2 || thing.bottomZ > topZ + TOUCH_M;
}
