import type RAPIER from '@dimforge/rapier3d-compat';

/** Turns of Rapier's vectors; pure. */
type Rotation = RAPIER.Rotation;
type Vector = RAPIER.Vector;

/** The opposite turn. */
export const conjugate = ({ x, y, z, w }: Rotation): Rotation => ({ x: -x, y: -y, z: -z, w });

/** Returns the vector from one point to another. */
export const difference = (to: Vector, from: Vector): Vector => ({ x: to.x - from.x, y: to.y - from.y, z: to.z - from.z });

/** The turn `b`, then the turn `a`. */
export function multiply(a: Rotation, b: Rotation): Rotation {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}

/** `v` turned by the unit quaternion `q`: v + 2w(q×v) + 2 q×(q×v). */
export function rotate(q: Rotation, v: Vector): Vector {
  const [cx, cy, cz] = [q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x];
  return {
    x: v.x + 2 * (q.w * cx + q.y * cz - q.z * cy),
    y: v.y + 2 * (q.w * cy + q.z * cx - q.x * cz),
    z: v.z + 2 * (q.w * cz + q.x * cy - q.y * cx),
  };
}

/** Cosine of the angle between the vertical and the most upright of a body's three axes: 1 for a cube that lies flat on any side. */
export const uprightness = ({ x, y, z, w }: Rotation): number =>
  Math.max(Math.abs(2 * (x * z - w * y)), Math.abs(2 * (y * z + w * x)), Math.abs(1 - 2 * (x * x + y * y)));
