import * as portable from '../common/portable-math.ts';
import { degToRad, type Vec3 } from '../protocol/wire/geometry.ts';

/** An upright solid: a rectangle or a disc on the floor plane, with a height. World frame, metres. */
export interface Solid {
  readonly centre: Vec3;
  readonly halfHeightM: number;
  readonly outline: RectangleOutline | DiscOutline;
}

interface RectangleOutline {
  readonly kind: 'rectangle';
  readonly halfX: number;
  readonly halfY: number;
  /** Cosine and sine of its turn. */
  readonly cos: number;
  readonly sin: number;
}

interface DiscOutline {
  readonly kind: 'disc';
  readonly radiusM: number;
}

/** Returns a box. @param size full extents */
export function boxSolid(centre: Vec3, size: Vec3, yawDeg = 0): Solid {
  const yawRad = degToRad(yawDeg);
  const [cos, sin] = yawDeg === 0 ? [1, 0] : [portable.cos(yawRad), portable.sin(yawRad)];
  return { centre, halfHeightM: size[2] / 2, outline: { kind: 'rectangle', halfX: size[0] / 2, halfY: size[1] / 2, cos, sin } };
}

/** Returns an upright cylinder. */
export const cylinderSolid = (centre: Vec3, radiusM: number, heightM: number): Solid => ({
  centre,
  halfHeightM: heightM / 2,
  outline: { kind: 'disc', radiusM },
});

/** Returns the height of the upper face above the floor, metres. */
export const topOf = ({ centre, halfHeightM }: Solid): number => centre[2] + halfHeightM;

/** Returns the height of the lower face above the floor, metres. */
export const bottomOf = ({ centre, halfHeightM }: Solid): number => centre[2] - halfHeightM;

/** Returns whether two solids are in each other by more than a slack, metres. */
export const intersect = (one: Solid, other: Solid, slackM: number): boolean =>
  Math.abs(one.centre[2] - other.centre[2]) < one.halfHeightM + other.halfHeightM - slackM && gapM(one, other) < -slackM;

/** Returns the gap between the outlines of two solids on the floor plane, metres; negative where they are over each other. Of two boxes with corners towards each other it is a little less than the true one. */
export function gapM(one: Solid, other: Solid): number {
  const [dx, dy] = [other.centre[0] - one.centre[0], other.centre[1] - one.centre[1]];
  const [a, b] = [one.outline, other.outline];
  if (a.kind === 'disc' && b.kind === 'disc') return portable.hypot(dx, dy) - a.radiusM - b.radiusM;
  if (a.kind === 'disc' && b.kind === 'rectangle') return toRectangle(b, -dx, -dy) - a.radiusM;
  if (a.kind === 'rectangle' && b.kind === 'disc') return toRectangle(a, dx, dy) - b.radiusM;
  if (a.kind === 'rectangle' && b.kind === 'rectangle') return betweenRectangles(a, b, dx, dy);
  return 0;
}

/** Distance of a point, given from the middle, to a rectangle; negative inside. */
function toRectangle({ halfX, halfY, cos, sin }: RectangleOutline, dx: number, dy: number): number {
  const outX = Math.abs(cos * dx + sin * dy) - halfX;
  const outY = Math.abs(cos * dy - sin * dx) - halfY;
  return outX > 0 && outY > 0 ? portable.hypot(outX, outY) : Math.max(outX, outY);
}

/** The widest gap along the sides of either: two rectangles are apart exactly when it is positive. */
function betweenRectangles(a: RectangleOutline, b: RectangleOutline, dx: number, dy: number): number {
  let widest = Number.NEGATIVE_INFINITY;
  for (const { cos, sin } of [a, b]) {
    widest = Math.max(widest, gapAlong(a, b, dx, dy, cos, sin), gapAlong(a, b, dx, dy, -sin, cos));
  }
  return widest;
}

const gapAlong = (a: RectangleOutline, b: RectangleOutline, dx: number, dy: number, ux: number, uy: number): number =>
  Math.abs(dx * ux + dy * uy) - reachAlong(a, ux, uy) - reachAlong(b, ux, uy);

const reachAlong = ({ halfX, halfY, cos, sin }: RectangleOutline, ux: number, uy: number): number =>
  halfX * Math.abs(cos * ux + sin * uy) + halfY * Math.abs(cos * uy - sin * ux);

/** Returns whether a point of the floor plane is over a solid's outline, or beside it by less than a margin. */
export const isOver = (solid: Solid, x: number, y: number, marginM = 0): boolean =>
  gapM(solid, { centre: [x, y, 0], halfHeightM: 0, outline: { kind: 'disc', radiusM: 0 } }) < marginM;

/** Half the width and depth of the rectangle along the axes that is round an outline. */
export function reachOf({ outline }: Solid): { halfX: number; halfY: number } {
  if (outline.kind === 'disc') return { halfX: outline.radiusM, halfY: outline.radiusM };
  return { halfX: reachAlong(outline, 1, 0), halfY: reachAlong(outline, 0, 1) };
}

/** Returns the corners of an outline, those of the square round a disc; world frame, metres. */
export function cornersOf({ centre: [x, y], outline }: Solid): [number, number][] {
  const { halfX, halfY, cos, sin } =
    outline.kind === 'rectangle' ? outline : { halfX: outline.radiusM, halfY: outline.radiusM, cos: 1, sin: 0 };
  return CORNERS.map(([signX, signY]) => {
    const [dx, dy] = [signX * halfX, signY * halfY];
    return [x + cos * dx - sin * dy, y + sin * dx + cos * dy];
  });
}

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

/** Returns whether all of an outline, the square round a disc, is over another one. */
export const isWithinOutline = (one: Solid, other: Solid): boolean => cornersOf(one).every(([x, y]) => isOver(other, x, y, 1e-6));
