import { BufferAttribute, BufferGeometry, Euler, Matrix4, Quaternion, Vector3 } from 'three';
import { degToRad, type Vec3 } from '../../protocol/wire/geometry.ts';
import type { Obstacle } from '../../protocol/wire/scene.ts';
import type { Part } from './paint.ts';

/**
 * The placement of an obstacle in a chosen local frame: the transform to the world, and its size in that frame (length, depth,
 * height).
 */
export interface Footing {
  matrix: Matrix4;
  size: Vec3;
}

const Z_AXIS = new Vector3(0, 0, 1);
const ONE = new Vector3(1, 1, 1);

/** Returns the footing of an obstacle, with the longer side along local x. */
export function longways(obstacle: Obstacle): Footing {
  const [sx, sy, sz] = obstacle.size;
  const turned = sy > sx;
  const yawRad = degToRad(obstacle.pose.yaw_deg ?? 0) + (turned ? Math.PI / 2 : 0);
  return { matrix: standing(obstacle.pose.position, yawRad), size: turned ? [sy, sx, sz] : [sx, sy, sz] };
}

/** Returns the footing of an obstacle in its own frame. */
export function asGiven(obstacle: Obstacle): Footing {
  return { matrix: standing(obstacle.pose.position, degToRad(obstacle.pose.yaw_deg ?? 0)), size: obstacle.size };
}

/** Returns a transform at a position, turned about the world's z axis. */
export function standing(position: Vec3, yawRad: number): Matrix4 {
  return new Matrix4().compose(new Vector3(...position), new Quaternion().setFromAxisAngle(Z_AXIS, yawRad), ONE);
}

/** Moves parts from a local frame to the world, in place. @param matrix only a rotation and a shift */
export function moved(parts: Part[], matrix: Matrix4): Part[] {
  const e = matrix.elements;
  for (const { geometry } of parts) {
    turn(geometry.getAttribute('position').array as Float32Array, e, [e[12] ?? 0, e[13] ?? 0, e[14] ?? 0]);
    turn(geometry.getAttribute('normal').array as Float32Array, e, [0, 0, 0]);
  }
  return parts;
}

/**
 * Turns vectors by a matrix's rotation (three's column-major elements) and adds a shift. Does the same as applyMatrix4, in a
 * plain loop.
 */
function turn(vectors: Float32Array, e: readonly number[], [tx, ty, tz]: Vec3): void {
  const [xx = 1, yx = 0, zx = 0, , xy = 0, yy = 1, zy = 0, , xz = 0, yz = 0, zz = 1] = e;
  for (let k = 0; k < vectors.length; k += 3) {
    const x = vectors[k] ?? 0;
    const y = vectors[k + 1] ?? 0;
    const z = vectors[k + 2] ?? 0;
    vectors[k] = xx * x + xy * y + xz * z + tx;
    vectors[k + 1] = yx * x + yy * y + yz * z + ty;
    vectors[k + 2] = zx * x + zy * y + zz * z + tz;
  }
}

/** Returns a rectangle in the local xz plane that faces -y: width along x, height along z, centre at `at`. */
export function frontQuad(width: number, height: number, [x, y, z]: Vec3): BufferGeometry {
  const [w, h] = [width / 2, height / 2];
  return quad([x - w, y, z + h, x + w, y, z + h, x - w, y, z - h, x + w, y, z - h], [0, -1, 0]);
}

/** Returns a rectangle in the local xy plane that faces +z: width along x, depth along y, centre at `at`. */
export function topQuad(width: number, depth: number, [x, y, z]: Vec3): BufferGeometry {
  const [w, d] = [width / 2, depth / 2];
  return quad([x - w, y + d, z, x + w, y + d, z, x - w, y - d, z, x + w, y - d, z], [0, 0, 1]);
}

/** Builds a quad from corners in reading order, seen from the side that the normal points to. Position, normal and index only. */
function quad(corners: number[], normal: Vec3): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from([...normal, ...normal, ...normal, ...normal]), 3));
  geometry.setIndex([0, 2, 1, 2, 3, 1]);
  return geometry;
}

/** Returns a transform for an instance: centre, full extents, yaw. */
export function instanceAt(centre: Vec3, size: Vec3, yawRad: number): Matrix4 {
  return new Matrix4().compose(
    new Vector3(...centre),
    new Quaternion().setFromEuler(new Euler(0, 0, yawRad)),
    new Vector3(...size),
  );
}
