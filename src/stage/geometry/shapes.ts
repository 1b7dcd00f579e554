import { type BufferGeometry, LatheGeometry, TorusGeometry, Vector2 } from 'three';
import type { Vec3 } from '../../protocol/wire/geometry.ts';

export type Axis = 'x' | 'y' | 'z';

const ORIGIN: Vec3 = [0, 0, 0];

/** Returns a cylinder with softened rims, its centre at `at`, metres. */
export function disc(axis: Axis, radius: number, length: number, at: Vec3 = ORIGIN, around = 28): BufferGeometry {
  const half = length / 2;
  const rim = Math.min(radius, half) * 0.22;
  const profile = [
    [0, -half],
    [radius - 2 * rim, -half],
    [radius - rim, -half],
    [radius, -half + rim],
    [radius, half - rim],
    [radius - rim, half],
    [radius - 2 * rim, half],
    [0, half],
  ].map(([x = 0, y = 0]) => new Vector2(Math.max(x, 0), y));
  return turned(new LatheGeometry(profile, around), axis, at);
}

/** Returns a surface of revolution about `axis`: pairs of [radius, position along the axis], rising, metres. */
export function lathe(
  axis: Axis,
  profile: readonly (readonly [number, number])[],
  at: Vec3 = ORIGIN,
  around = 28,
): BufferGeometry {
  return turned(
    new LatheGeometry(
      profile.map(([radius, along]) => new Vector2(radius, along)),
      around,
    ),
    axis,
    at,
  );
}

/** Returns a ring about `axis`; `radius` reaches to the middle of the tube. */
export function ring(axis: Axis, radius: number, tube: number, at: Vec3 = ORIGIN, around = 36): BufferGeometry {
  // A torus lies about z, unlike the lathe shapes, which stand on y.
  return turned(new TorusGeometry(radius, tube, 8, around).rotateX(Math.PI / 2), axis, at);
}

/** Turns a shape from three's y axis to the given one, then moves it into place. */
function turned(geometry: BufferGeometry, axis: Axis, at: Vec3): BufferGeometry {
  if (axis === 'x') geometry.rotateZ(-Math.PI / 2);
  if (axis === 'z') geometry.rotateX(Math.PI / 2);
  return geometry.translate(at[0], at[1], at[2]);
}
