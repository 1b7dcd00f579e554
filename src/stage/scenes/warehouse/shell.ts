import { BufferAttribute, type BufferGeometry, Color, PlaneGeometry } from 'three';
import type { Vec3 } from '../../../protocol/wire/geometry.ts';
import type { SceneLayout } from '../../../protocol/wire/scene.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { frontQuad } from '../../geometry/placed.ts';
import { PALETTE as P } from '../../look/palette.ts';
import type { Tone } from '../../look/people-palette.ts';
import { type WallSide, wallSides } from '../../props/shell.ts';

/** Height of the ceiling: above every obstacle, so that robots never look over the walls. */
const CEILING_M = 4.8;
/** Height of the rail between the walls' two tones. */
const WALL_RAIL_M = 1.3;

/**
 * Returns walls with high windows, and the ceiling, world frame. Every face looks inwards, so that a view from outside sees into
 * the warehouse as into a model without its near walls and roof.
 */
export function warehouseShell(bounds: SceneLayout['bounds'], tone: Tone): Part[] {
  return [...wallSides(bounds).flatMap((side, k) => wallParts(side, k, tone)), ...ceilingParts(bounds)];
}

function wallParts({ length, matrix }: WallSide, index: number, seen: Tone): Part[] {
  const parts: Part[] = [
    part('wall', P.wall, gradientWall(length, seen)),
    part('wall', P.plinth, frontQuad(length, 0.16, [0, -0.004, 0.08])),
    part('wall', P.wallJoint, frontQuad(length, 0.014, [0, -0.003, WALL_RAIL_M])),
    part('wall', P.wallJoint, frontQuad(length, 0.014, [0, -0.003, 3.05])),
  ];
  const panels = Math.round(length / 1.2);
  const pitch = length / panels;
  for (let k = 1; k < panels; k++)
    parts.push(part('wall', P.wallJoint, frontQuad(0.011, CEILING_M, [-length / 2 + k * pitch, -0.0035, CEILING_M / 2])));
  const isDoorWall = index === 0;
  for (let k = 0; k + 1 < panels; k += 2) parts.push(...windowParts(-length / 2 + (k + 1) * pitch, pitch * 2 - 0.36));
  if (isDoorWall) parts.push(...doorParts(-length / 2 + pitch * 2.5));
  for (const piece of parts) piece.geometry.applyMatrix4(matrix);
  return parts;
}

/**
 * Returns the wall's face, a little darker towards floor and ceiling, where less light comes; two tones that meet at the rail.
 */
function gradientWall(length: number, seen: Tone): BufferGeometry {
  const stops: readonly [z: number, shade: number, tone: number][] = [
    [0, 0.8, P.wallLow],
    [0.35, 0.94, P.wallLow],
    [WALL_RAIL_M, 0.98, P.wallLow],
    [WALL_RAIL_M, 0.98, P.wall],
    [3, 1, P.wall],
    [4.4, 1, P.wall],
    [CEILING_M, 0.9, P.wall],
  ];
  const plane = new PlaneGeometry(length, 1, 1, stops.length - 1);
  const position = plane.getAttribute('position');
  const colours = new Float32Array(position.count * 3);
  for (let k = 0; k < position.count; k++) {
    // Rows of a plane run downwards, two corners each.
    const [z, shade, tone] = stops[stops.length - 1 - Math.floor(k / 2)] ?? [0, 1, P.wall];
    position.setY(k, z);
    const { r, g, b } = new Color(seen('wall', tone)).multiplyScalar(shade);
    colours.set([r, g, b], k * 3);
  }
  plane.setAttribute('color', new BufferAttribute(colours, 3));
  return plane.rotateX(Math.PI / 2);
}

function windowParts(x: number, width: number): Part[] {
  const bottom = 3.3;
  const height = 1.05;
  const panes = 3;
  const paneWidth = (width - 0.06 * (panes + 1)) / panes;
  const parts = [part('wall', P.windowFrame, frontQuad(width, height, [x, -0.006, bottom + height / 2]))];
  for (let k = 0; k < panes; k++) {
    const centre = x - width / 2 + 0.06 + paneWidth / 2 + k * (paneWidth + 0.06);
    parts.push(part('glow', P.windowPane, frontQuad(paneWidth, height - 0.12, [centre, -0.012, bottom + height / 2])));
  }
  parts.push(part('wall', P.wallJoint, frontQuad(width + 0.08, 0.05, [x, -0.009, bottom - 0.02])));
  return parts;
}

/** Returns a roller door for goods. */
function doorParts(x: number): Part[] {
  const width = 2.2;
  const height = 2.6;
  const parts = [
    part('wall', P.windowFrame, frontQuad(width + 0.2, height + 0.1, [x, -0.006, (height + 0.1) / 2])),
    part('wall', P.door, frontQuad(width, height, [x, -0.009, height / 2])),
  ];
  for (let z = 0.2; z < height; z += 0.2) parts.push(part('wall', P.doorRib, frontQuad(width, 0.016, [x, -0.012, z])));
  parts.push(part('wall', P.plinth, frontQuad(width, 0.07, [x, -0.014, 0.035])));
  return parts;
}

function ceilingParts(bounds: SceneLayout['bounds']): Part[] {
  const [x0, y0] = bounds.min;
  const [x1, y1] = bounds.max;
  const facingDown = (sx: number, sy: number, at: Vec3): BufferGeometry =>
    new PlaneGeometry(sx, sy).rotateX(Math.PI).translate(...at);
  const midX = (x0 + x1) / 2;
  const midY = (y0 + y1) / 2;
  const parts = [part('wall', P.ceiling, facingDown(x1 - x0, y1 - y0, [midX, midY, CEILING_M]))];
  const beams = Math.max(2, Math.round((y1 - y0) / 2.1));
  for (let k = 0; k < beams; k++) {
    const y = y0 + ((k + 0.5) * (y1 - y0)) / beams;
    parts.push(part('wall', P.ceilingBeam, facingDown(x1 - x0, 0.16, [midX, y, CEILING_M - 0.01])));
    for (const third of [-1, 1]) {
      const x = midX + (third * (x1 - x0)) / 4;
      parts.push(part('glow', P.lamp, facingDown(1.5, 0.16, [x, y + (y1 - y0) / beams / 2, CEILING_M - 0.02])));
    }
  }
  return parts;
}
