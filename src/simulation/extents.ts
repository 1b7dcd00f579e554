import * as portable from '../common/portable-math.ts';
import type { Vec3 } from '../protocol/wire/geometry.ts';
import { CUBE_EDGE_M } from '../protocol/wire/scene.ts';
import { isCubeShape, type ThingShape } from '../protocol/wire/thing-shape.ts';
import type { Thing } from './thing.ts';

/** Room that things take up as they lie: measures of the upright box round a turned thing. Metres, world frame unless another is named. */

/** From a cube's centre to its faces, and to its upright edges as it lies. */
export const HALF_CUBE_M = CUBE_EDGE_M / 2;
export const HALF_CUBE_DIAGONAL_M = HALF_CUBE_M * Math.SQRT2;

interface Rotation {
  x: number;
  y: number;
  z: number;
  w: number;
}

type Shaped = Pick<Thing, 'shape' | 'isCube'>;

/** The nine numbers of a rotation matrix, row by row. */
function matrixOf({ x, y, z, w }: Rotation): readonly number[] {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ];
}

/** Returns half of the extents of the upright box round a turned shape, [x, y, z]. Exact for boxes and cylinders. */
export function halfExtents(shape: ThingShape, rotation: Rotation): Vec3 {
  const m = matrixOf(rotation);
  const row = (axis: number): number => {
    const [a, b, c] = [Math.abs(m[3 * axis] ?? 0), Math.abs(m[3 * axis + 1] ?? 0), Math.abs(m[3 * axis + 2] ?? 0)];
    if (shape.kind === 'cylinder') return (c * shape.heightM) / 2 + shape.radiusM * Math.sqrt(Math.max(0, 1 - c * c));
    return (a * shape.size[0] + b * shape.size[1] + c * shape.size[2]) / 2;
  };
  return [row(0), row(1), row(2)];
}

/** Returns half the width and depth of the upright box round a thing: along the world's x and y. */
export function floorExtents({ shape, isCube }: Shaped, rotation: Rotation): [number, number] {
  if (!isCube) {
    const [x, y] = halfExtents(shape, rotation);
    return [x, y];
  }
  // Of a cube: sums of the rotation matrix's absolute rows.
  const { x, y, z, w } = rotation;
  const half = CUBE_EDGE_M / 2;
  return [
    half * (Math.abs(1 - 2 * (y * y + z * z)) + 2 * Math.abs(x * y - z * w) + 2 * Math.abs(x * z + y * w)),
    half * (2 * Math.abs(x * y + z * w) + Math.abs(1 - 2 * (x * x + z * z)) + 2 * Math.abs(y * z - x * w)),
  ];
}

/** Returns how far a thing's lowest and highest points are from its centre as it lies. A cube counts as lying flat. */
export const halfHeightM = ({ shape, isCube }: Shaped, rotation: Rotation): number =>
  isCube ? CUBE_EDGE_M / 2 : halfExtents(shape, rotation)[2];

/** Returns the radius of the ball round a shape: half of its diagonal. */
export function ballRadiusM(shape: ThingShape): number {
  if (shape.kind === 'cylinder') return portable.hypot(shape.radiusM, shape.heightM / 2);
  return portable.hypot(...shape.size) / 2;
}

/** How much farther a thing reaches from its centre than a cube: 0 for a cube and for whatever is smaller. */
export const beyondCubeM = (shape: ThingShape): number =>
  isCubeShape(shape) ? 0 : Math.max(0, ballRadiusM(shape) - (CUBE_EDGE_M / 2) * Math.sqrt(3));

/** Moment of inertia of a thing about its centre, the largest of its three, kg m²; containers count as solid. */
export function inertiaKgm2(shape: ThingShape, massKg: number): number {
  if (shape.kind === 'cylinder') {
    const { radiusM: r, heightM: h } = shape;
    return Math.max((massKg * r * r) / 2, (massKg * (3 * r * r + h * h)) / 12);
  }
  const [x, y, z] = shape.size;
  const least = Math.min(x, y, z);
  return (massKg * (x * x + y * y + z * z - least * least)) / 12;
}

/** How a thing lies flat: the heading of its first level side, its lengths along and across that heading, and its height. */
export interface Lie {
  yawRad: number;
  alongM: number;
  acrossM: number;
  heightM: number;
  /** Whether it looks the same from every side, as a cylinder on its end does. */
  isRound: boolean;
  /** Whether its own z axis points up: an open container, a thing as it was set down first. */
  isUp: boolean;
}

/** An axis with a larger vertical part than this is upright, one with a smaller part than the second is level: ten degrees. */
const UPRIGHT = 0.985;
const LEVEL = 0.174;

/** Returns how a thing lies; null when it leans, so that no two of its sides are upright. */
export function lieOf(shape: ThingShape, rotation: Rotation): Lie | null {
  const m = matrixOf(rotation);
  const up = (axis: number): number => m[6 + axis] ?? 0;
  const heading = (axis: number): number => portable.atan2(m[3 + axis] ?? 0, m[axis] ?? 0);
  const isUp = up(2) > UPRIGHT;
  if (shape.kind === 'cylinder') {
    const { radiusM, heightM } = shape;
    if (Math.abs(up(2)) > UPRIGHT)
      return { yawRad: heading(0), alongM: 2 * radiusM, acrossM: 2 * radiusM, heightM, isRound: true, isUp };
    if (Math.abs(up(2)) > LEVEL) return null;
    return { yawRad: heading(2), alongM: heightM, acrossM: 2 * radiusM, heightM: 2 * radiusM, isRound: false, isUp: false };
  }
  const upright = [0, 1, 2].find((axis) => Math.abs(up(axis)) > UPRIGHT);
  if (upright === undefined) return null;
  const [along, across] = [(upright + 1) % 3, (upright + 2) % 3];
  const { size } = shape;
  return {
    yawRad: heading(along),
    alongM: size[along] ?? 0,
    acrossM: size[across] ?? 0,
    heightM: size[upright] ?? 0,
    isRound: false,
    isUp,
  };
}
