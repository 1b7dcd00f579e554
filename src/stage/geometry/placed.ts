import { type BufferGeometry, Euler, Matrix4, PlaneGeometry, Quaternion, Vector3 } from 'three';
import { degToRad, type Vec3 } from '../../protocol/geometry.ts';
import type { Obstacle } from '../../protocol/scene.ts';
import type { Part } from './paint.ts';

/** Where an obstacle stands when its longer side is to lie along local x: transform, and its size in that frame (length, depth, height). */
export interface Footing {
  matrix: Matrix4;
  size: Vec3;
}

const Z_AXIS = new Vector3(0, 0, 1);
const ONE = new Vector3(1, 1, 1);

/** The footing of an obstacle, the longer side along local x. */
export function longways(obstacle: Obstacle): Footing {
  const [sx, sy, sz] = obstacle.size;
  const turned = sy > sx;
  const yawRad = degToRad(obstacle.pose.yaw_deg ?? 0) + (turned ? Math.PI / 2 : 0);
  return { matrix: standing(obstacle.pose.position, yawRad), size: turned ? [sy, sx, sz] : [sx, sy, sz] };
}

/** The footing of an obstacle as its own frame has it. */
export function asGiven(obstacle: Obstacle): Footing {
  return { matrix: standing(obstacle.pose.position, degToRad(obstacle.pose.yaw_deg ?? 0)), size: obstacle.size };
}

/** A transform at a position, turned about the world's z axis. */
export function standing(position: Vec3, yawRad: number): Matrix4 {
  return new Matrix4().compose(new Vector3(...position), new Quaternion().setFromAxisAngle(Z_AXIS, yawRad), ONE);
}

/** Moves parts from a local frame to the world; in place. */
export function moved(parts: Part[], matrix: Matrix4): Part[] {
  for (const piece of parts) piece.geometry.applyMatrix4(matrix);
  return parts;
}

/** A rectangle in the local xz plane that faces -y: width along x, height along z, centre at `at`. */
export function frontQuad(width: number, height: number, at: Vec3): BufferGeometry {
  return new PlaneGeometry(width, height).rotateX(Math.PI / 2).translate(at[0], at[1], at[2]);
}

/** A rectangle in the local xy plane that faces +z: width along x, depth along y, centre at `at`. */
export function topQuad(width: number, depth: number, at: Vec3): BufferGeometry {
  return new PlaneGeometry(width, depth).translate(at[0], at[1], at[2]);
}

/** A transform for an instance: centre, full extents, yaw. */
export function instanceAt(centre: Vec3, size: Vec3, yawRad: number): Matrix4 {
  return new Matrix4().compose(
    new Vector3(...centre),
    new Quaternion().setFromEuler(new Euler(0, 0, yawRad)),
    new Vector3(...size),
  );
}
