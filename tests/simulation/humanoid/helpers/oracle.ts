import { JOINTS, ROOT_LINK } from '../../../../src/protocol/robots/humanoid.ts';
import type { Vec3 } from '../../../../src/protocol/wire/geometry.ts';

/** Slow but obvious forward kinematics: 4 × 4 matrices and Rodrigues' formula, sharing no code with the body. */
export type Matrix4 = readonly (readonly number[])[];

export function multiply(a: Matrix4, b: Matrix4): Matrix4 {
  return [0, 1, 2, 3].map((i) =>
    [0, 1, 2, 3].map((j) => [0, 1, 2, 3].reduce((sum, k) => sum + (a[i]?.[k] ?? 0) * (b[k]?.[j] ?? 0), 0)),
  );
}

export const translation = ([x, y, z]: Vec3): Matrix4 => [
  [1, 0, 0, x],
  [0, 1, 0, y],
  [0, 0, 1, z],
  [0, 0, 0, 1],
];

export function rotation([x, y, z]: Vec3, rad: number): Matrix4 {
  const c = Math.cos(rad);
  const s = Math.sin(rad);
  const t = 1 - c;
  return [
    [t * x * x + c, t * x * y - s * z, t * x * z + s * y, 0],
    [t * x * y + s * z, t * y * y + c, t * y * z - s * x, 0],
    [t * x * z - s * y, t * y * z + s * x, t * z * z + c, 0],
    [0, 0, 0, 1],
  ];
}

export function fromQuat([x, y, z, w]: readonly [number, number, number, number], [px, py, pz]: Vec3): Matrix4 {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), px],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), py],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), pz],
    [0, 0, 0, 1],
  ];
}

export const point = (m: Matrix4, [x, y, z]: Vec3): [number, number, number] => {
  const row = (i: number): number => (m[i]?.[0] ?? 0) * x + (m[i]?.[1] ?? 0) * y + (m[i]?.[2] ?? 0) * z + (m[i]?.[3] ?? 0);
  return [row(0), row(1), row(2)];
};

export const direction = (m: Matrix4, v: Vec3): [number, number, number] => {
  const [x, y, z] = point(m, v);
  const [ox, oy, oz] = point(m, [0, 0, 0]);
  return [x - ox, y - oy, z - oz];
};

/** Every link's frame from the pelvis' frame and the joint angles. */
export function linkFrames(pelvis: Matrix4, jointPositions: ArrayLike<number>): Map<string, Matrix4> {
  const frames = new Map<string, Matrix4>([[ROOT_LINK, pelvis]]);
  JOINTS.forEach((joint, i) => {
    const parent = frames.get(joint.parentLink);
    if (!parent) throw new Error(`No frame for ${joint.parentLink}`);
    frames.set(
      joint.link,
      multiply(multiply(parent, translation(joint.origin)), rotation(joint.axis, jointPositions[i] ?? Number.NaN)),
    );
  });
  return frames;
}

/** Returns a link's frame; throws for an unknown link. */
export function frameOf(frames: ReadonlyMap<string, Matrix4>, link: string): Matrix4 {
  const frame = frames.get(link);
  if (!frame) throw new Error(`No frame for ${link}`);
  return frame;
}

export const distance = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Largest difference of two matrices, element by element. */
export const difference = (a: Matrix4, b: Matrix4): number =>
  Math.max(...a.flatMap((row, i) => row.map((value, j) => Math.abs(value - (b[i]?.[j] ?? Number.NaN)))));
