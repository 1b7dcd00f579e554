import type { BufferGeometry } from 'three';
import type { Vec3 } from '../../../protocol/wire/geometry.ts';
import { box, roundedBox } from '../../geometry/boxes.ts';
import type { Finish } from '../../geometry/finish.ts';
import { type Part, part } from '../../geometry/paint.ts';

/** A range along an axis, metres. */
export type Span = readonly [from: number, to: number];

/** Returns a solid from its ranges along x, y and z. @param radius of its edges, metres; 0 is sharp */
export function solid(finish: Finish, colour: number, x: Span, y: Span, z: Span, radius = 0): Part {
  const size: Vec3 = [x[1] - x[0], y[1] - y[0], z[1] - z[0]];
  const at: Vec3 = [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2, (z[0] + z[1]) / 2];
  return part(finish, colour, radius === 0 ? box(size, at) : roundedBox(size, radius, at, radius > 0.02 ? 3 : 1));
}

/** The corners of the six faces of three's box: those towards +y, which are hidden for a thing on a wall. */
const BACK_FACE = [12, 18] as const;

/** Returns a sharp box without its face towards +y. */
export function hungBox(size: Vec3, at: Vec3): BufferGeometry {
  const geometry = box(size, at);
  const corners = [...(geometry.getIndex()?.array ?? [])];
  corners.splice(BACK_FACE[0], BACK_FACE[1] - BACK_FACE[0]);
  geometry.setIndex(corners);
  return geometry;
}

/** Returns how many pieces of about this width share a length: at least one, and not more than are drawn quickly. */
export const piecesIn = (lengthM: number, widthM: number, most = 8): number =>
  Math.min(most, Math.max(1, Math.round(lengthM / widthM)));

/** Returns ranges that share a length evenly, with a gap between neighbours. */
export function shared([from, to]: Span, count: number, gapM: number): Span[] {
  const width = (to - from) / count;
  return Array.from({ length: count }, (_, k): Span => [from + k * width + gapM / 2, from + (k + 1) * width - gapM / 2]);
}

/** Returns the ends of a range, moved inwards. */
export const inset = ([from, to]: Span, byM: number): Span => [from + byM, to - byM];

/** Returns the two ends of a range, so wide. */
export const ends = ([from, to]: Span, wideM: number): Span[] => [
  [from, from + wideM],
  [to - wideM, to],
];
