import { cos, sin } from '../common/portable-math.ts';
import type { Quat, Vec3 } from '../protocol/wire/geometry.ts';
import type { RigidPose } from '../protocol/wire/render-state.ts';

/**
 * Rigid frames in flat arrays: 12 numbers a frame, the rotation row by row and then the position.
 * All functions write into their arguments and allocate nothing, unless noted.
 */
export const FRAME_SIZE = 12;

/** `out[o] = rotation about z by yaw, then about the new y by pitch`, at `position` (parent or world frame). */
export function setYawPitchFrame(
  out: Float64Array,
  o: number,
  yawRad: number,
  pitchRad: number,
  x: number,
  y: number,
  z: number,
): void {
  const cy = cos(yawRad);
  const sy = sin(yawRad);
  const cp = cos(pitchRad);
  const sp = sin(pitchRad);
  out[o] = cy * cp;
  out[o + 1] = -sy;
  out[o + 2] = cy * sp;
  out[o + 3] = sy * cp;
  out[o + 4] = cy;
  out[o + 5] = sy * sp;
  out[o + 6] = -sp;
  out[o + 7] = 0;
  out[o + 8] = cp;
  out[o + 9] = x;
  out[o + 10] = y;
  out[o + 11] = z;
}

/** Turns the rotation at `o` about its own axis 0 (x), 1 (y) or 2 (z). */
export function rotateOwnAxis(f: Float64Array, o: number, axis: 0 | 1 | 2, angleRad: number): void {
  const c = cos(angleRad);
  const s = sin(angleRad);
  // A turn about one's own axis mixes the other two columns.
  const i = (axis + 1) % 3;
  const j = (axis + 2) % 3;
  for (let row = 0; row < 9; row += 3) {
    const a = f[o + row + i] as number;
    const b = f[o + row + j] as number;
    f[o + row + i] = a * c + b * s;
    f[o + row + j] = b * c - a * s;
  }
}

/** `out[oo] = a[oa]^T b[ob]`, rotations only; `out` may not be `a` or `b`. */
export function relativeRotation(out: Float64Array, oo: number, a: Float64Array, oa: number, b: Float64Array, ob: number): void {
  for (let row = 0; row < 3; row += 1) {
    for (let col = 0; col < 3; col += 1) {
      out[oo + 3 * row + col] =
        (a[oa + row] as number) * (b[ob + col] as number) +
        (a[oa + 3 + row] as number) * (b[ob + 3 + col] as number) +
        (a[oa + 6 + row] as number) * (b[ob + 6 + col] as number);
    }
  }
}

/** World position of a point given in the frame at `o`; allocates the result. */
export function framePoint(f: Float64Array, o: number, [x, y, z]: Vec3): [number, number, number] {
  const at = (row: number): number =>
    (f[o + 3 * row] as number) * x +
    (f[o + 3 * row + 1] as number) * y +
    (f[o + 3 * row + 2] as number) * z +
    (f[o + 9 + row] as number);
  return [at(0), at(1), at(2)];
}

/** A world point in the frame at `o`; allocates the result. */
export function intoFrame(f: Float64Array, o: number, [x, y, z]: Vec3): [number, number, number] {
  const dx = x - (f[o + 9] as number);
  const dy = y - (f[o + 10] as number);
  const dz = z - (f[o + 11] as number);
  const at = (col: number): number =>
    (f[o + col] as number) * dx + (f[o + 3 + col] as number) * dy + (f[o + 6 + col] as number) * dz;
  return [at(0), at(1), at(2)];
}

/** Unit quaternion [x, y, z, w] of the rotation at `o`, w not negative; allocates the result (Shepperd's method). */
export function frameQuat(f: Float64Array, o: number): Quat {
  const m00 = f[o] as number;
  const m01 = f[o + 1] as number;
  const m02 = f[o + 2] as number;
  const m10 = f[o + 3] as number;
  const m11 = f[o + 4] as number;
  const m12 = f[o + 5] as number;
  const m20 = f[o + 6] as number;
  const m21 = f[o + 7] as number;
  const m22 = f[o + 8] as number;
  let x: number;
  let y: number;
  let z: number;
  let w: number;
  if (m00 + m11 + m22 > 0) {
    w = 1 + m00 + m11 + m22;
    x = m21 - m12;
    y = m02 - m20;
    z = m10 - m01;
  } else if (m00 > m11 && m00 > m22) {
    w = m21 - m12;
    x = 1 + m00 - m11 - m22;
    y = m01 + m10;
    z = m02 + m20;
  } else if (m11 > m22) {
    w = m02 - m20;
    x = m01 + m10;
    y = 1 + m11 - m00 - m22;
    z = m12 + m21;
  } else {
    w = m10 - m01;
    x = m02 + m20;
    y = m12 + m21;
    z = 1 + m22 - m00 - m11;
  }
  const scale = (w < 0 ? -1 : 1) / Math.sqrt(x * x + y * y + z * z + w * w);
  return [x * scale, y * scale, z * scale, w * scale];
}

const _opticalPose_optical = new Float64Array(FRAME_SIZE);

/** Returns the optical frame (x right, y down, z forward) of a camera that looks along a frame's x axis; allocates it. */
export function opticalPose(f: Float64Array, o: number, centre: Vec3): RigidPose {
  const optical = _opticalPose_optical;
  for (let row = 0; row < 3; row += 1) {
    optical[3 * row] = -(f[o + 3 * row + 1] as number);
    optical[3 * row + 1] = -(f[o + 3 * row + 2] as number);
    optical[3 * row + 2] = f[o + 3 * row] as number;
  }
  return { position: framePoint(f, o, centre), orientation: frameQuat(optical, 0) };
}
