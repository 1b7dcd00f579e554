import { Matrix4 } from 'three';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import { isOfKind } from '../../protocol/wire/place.ts';
import type { SceneLayout } from '../../protocol/wire/scene.ts';
import { box } from '../geometry/boxes.ts';
import { type Part, part } from '../geometry/paint.ts';
import { frontQuad } from '../geometry/placed.ts';
import { PALETTE as P } from '../look/palette.ts';

/** Thickness of the cut walls round the floor, seen from above. */
const WALL_M = 0.2;

/** One side of a place. */
export interface WallSide {
  length: number;
  /**
   * Transform from the wall's frame (x along it to the right as seen from inside, y outwards, z up, origin at its foot) to the
   * world.
   */
  matrix: Matrix4;
}

/** Returns the four sides of a place, as seen from inside. */
export function wallSides(bounds: SceneLayout['bounds']): WallSide[] {
  const [x0, y0] = bounds.min;
  const [x1, y1] = bounds.max;
  const wall = (x: number, y: number, yawRad: number, length: number): WallSide => ({
    length,
    matrix: new Matrix4().makeRotationZ(yawRad).setPosition(x, y, 0),
  });
  const midX = (x0 + x1) / 2;
  const midY = (y0 + y1) / 2;
  return [
    wall(midX, y1, 0, x1 - x0),
    wall(x1, midY, -Math.PI / 2, y1 - y0),
    wall(midX, y0, Math.PI, x1 - x0),
    wall(x0, midY, Math.PI / 2, y1 - y0),
  ];
}

/**
 * Returns plain walls as high as the place, if it has walls. Every face looks inwards, so that a view from outside sees into the
 * place as into a model.
 */
export function plainWallParts(place: ScenePlace): Part[] {
  if (!place.obstacles.some(({ obstacle_id }) => isOfKind(place, obstacle_id, 'wall'))) return [];
  const heightM = place.bounds.max[2];
  return wallSides(place.bounds).flatMap(({ length, matrix }) => {
    const parts = [
      part('wall', P.wall, frontQuad(length, heightM, [0, 0, heightM / 2])),
      part('wall', P.plinth, frontQuad(length, 0.16, [0, -0.004, 0.08])),
    ];
    for (const { geometry } of parts) geometry.applyMatrix4(matrix);
    return parts;
  });
}

/** Returns the cut face of walls and floor slab round the place, as in an architect's model. People see it from outside. */
export function slabParts(bounds: SceneLayout['bounds']): Part[] {
  const [x0, y0] = bounds.min;
  const [x1, y1] = bounds.max;
  const depth = 0.22;
  const z = -depth / 2 - 0.002;
  const beam = (sx: number, sy: number, x: number, y: number): Part => part('wall', P.plinth, box([sx, sy, depth], [x, y, z]));
  const width = x1 - x0 + 2 * WALL_M;
  return [
    beam(width, WALL_M, (x0 + x1) / 2, y0 - WALL_M / 2),
    beam(width, WALL_M, (x0 + x1) / 2, y1 + WALL_M / 2),
    beam(WALL_M, y1 - y0, x0 - WALL_M / 2, (y0 + y1) / 2),
    beam(WALL_M, y1 - y0, x1 + WALL_M / 2, (y0 + y1) / 2),
  ];
}
