import { clamp } from '../../common/clamp.ts';
import * as portable from '../../common/portable-math.ts';
import type { Point } from './footprints.ts';

/** A way of straight pieces over the floor, measured along its length. World frame, metres. */
export interface Polyline {
  readonly points: readonly Point[];
  /** Length of the way up to each point. */
  readonly atM: readonly number[];
  readonly lengthM: number;
  /** Points where the way turns, how far along, and by how much. */
  readonly corners: readonly { atM: number; turnRad: number }[];
}

const STRAIGHT_RAD = 0.01;

/** Measures a way of one point or more. */
export function createPolyline(coordinates: readonly (readonly [number, number])[]): Polyline {
  const points = coordinates.map(([x, y]): Point => ({ x, y }));
  const atM: number[] = [];
  points.forEach((point, i) => {
    const previous = points[i - 1];
    atM.push(previous ? (atM[i - 1] ?? 0) + portable.hypot(point.x - previous.x, point.y - previous.y) : 0);
  });
  const corners = points.flatMap((point, i) => {
    const [previous, next] = [points[i - 1], points[i + 1]];
    if (!previous || !next) return [];
    const into = portable.atan2(point.y - previous.y, point.x - previous.x);
    const out = portable.atan2(next.y - point.y, next.x - point.x);
    const turnRad = Math.abs(portable.atan2(portable.sin(out - into), portable.cos(out - into)));
    return turnRad > STRAIGHT_RAD ? [{ atM: atM[i] ?? 0, turnRad }] : [];
  });
  return { points, atM, lengthM: atM.at(-1) ?? 0, corners };
}

/** The point at this length along the way; its ends beyond them. */
export function pointAt(way: Polyline, alongM: number): Point {
  for (let i = 1; i < way.points.length; i++) {
    const [from, to, startM = 0, endM = 0] = [way.points[i - 1], way.points[i], way.atM[i - 1], way.atM[i]];
    if (!from || !to || (alongM > endM && i < way.points.length - 1)) continue;
    const share = endM === startM ? 1 : clamp((alongM - startM) / (endM - startM), 0, 1);
    return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
  }
  return way.points[0] ?? { x: 0, y: 0 };
}

/**
 * Returns how far along the way the place nearest to `point` is, searched only from `fromM` to `fromM + aheadM`: a way that comes
 * close to itself is not jumped over, and progress never falls.
 */
export function project(way: Polyline, point: Point, fromM: number, aheadM: number): number {
  let best = { alongM: fromM, distance: Number.POSITIVE_INFINITY };
  for (let i = 1; i < way.points.length; i++) {
    const [from, to, startM = 0, endM = 0] = [way.points[i - 1], way.points[i], way.atM[i - 1], way.atM[i]];
    if (!from || !to || endM < fromM || startM > fromM + aheadM || endM === startM) continue;
    const [unitX, unitY] = [(to.x - from.x) / (endM - startM), (to.y - from.y) / (endM - startM)];
    const freeM = startM + (point.x - from.x) * unitX + (point.y - from.y) * unitY;
    const alongM = Math.min(endM, fromM + aheadM, Math.max(startM, fromM, freeM));
    const distance = portable.hypot(from.x + (alongM - startM) * unitX - point.x, from.y + (alongM - startM) * unitY - point.y);
    if (distance < best.distance) best = { alongM, distance };
  }
  return best.alongM;
}
