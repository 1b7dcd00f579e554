import * as portable from '../../common/portable-math.ts';
import type { SimWorld } from '../sim-world.ts';
import {
  blockerAt,
  distance,
  type FloorMap,
  floorMap,
  isInside,
  isStandable,
  nearestFootprint,
  type Point,
} from './footprints.ts';
import { reachablePoints, shortestWay } from './search.ts';
import { blockerOnWay, waysOf } from './visibility.ts';

export type { Point } from './footprints.ts';

/** A way over the floor, or the reason why there is none. Points are in the world frame, metres; start and goal are among them. */
export type PlanResult =
  | { kind: 'path'; points: [number, number][]; lengthM: number }
  | { kind: 'goal_outside' }
  | { kind: 'goal_occupied'; blocker: string; nearest: Point | null }
  | { kind: 'no_path'; nearest: Point | null };

export interface PlanOptions {
  /** Room kept beyond the robot's radius, if available. @default 0.1 m */
  clearanceM?: number;
}

const DEFAULT_CLEARANCE_M = 0.1;
/** The search for a nearest place goes outwards in rings: at least this far apart, and this share of the distance. */
const RING_STEP_M = 0.01;
const RING_GROWTH = 0.03;
const RING_ANGLES = 120;
const RING_DIRECTIONS = Array.from({ length: RING_ANGLES }, (_, i): Point => {
  const angleRad = (2 * Math.PI * i) / RING_ANGLES;
  return { x: portable.cos(angleRad), y: portable.sin(angleRad) };
});
const BISECTIONS = 8;
/** Extra room of a nearest place beyond the robot's need, where possible: the place is reported in whole centimetres, and must then still be a place to stand. */
const NEAREST_ROOM_M = 0.008;
/** A thing nearer than this to the future way of the base's edge is in its way. */
const OBSTRUCTING_M = 0.02;

/** Returns whether the robot can stand with its base here. If not, `blocker` is the obstacle or thing there, or the wall that the point is beyond. */
export function standable(world: SimWorld, point: Point): { ok: true } | { ok: false; blocker: string } {
  const map = floorMap(world);
  const blocker = blockerAt(map, point) ?? (isInside(map, point) ? null : nearestFootprint(map, point));
  return blocker === null ? { ok: true } : { ok: false, blocker };
}

/**
 * Returns the shortest way of the robot's disc from one place to another, around the layout's obstacles and the things on the
 * floor; a little longer where that keeps more clearance. The start always counts as free.
 */
export function planPath(world: SimWorld, from: Point, to: Point, options: PlanOptions = {}): PlanResult {
  const map = floorMap(world);
  const clearanceM = options.clearanceM ?? DEFAULT_CLEARANCE_M;
  if (!isInside(map, to)) return { kind: 'goal_outside' };
  const blocker = blockerAt(map, to);
  if (blocker !== null) return { kind: 'goal_occupied', blocker, nearest: nearestReachable(map, from, to) };
  const points = shortestWay(map, from, to, clearanceM);
  if (!points) return { kind: 'no_path', nearest: nearestReachable(map, from, to) };
  return { kind: 'path', points: points.map(({ x, y }) => [x, y]), lengthM: lengthOf(points) };
}

/** Returns the length of the way between two places, metres, or null when there is none: the way of `planPath`, without a search for a reachable place instead. */
export function wayLengthM(world: SimWorld, from: Point, to: Point): number | null {
  const map = floorMap(world);
  if (!isStandable(map, to)) return null;
  const points = shortestWay(map, from, to, DEFAULT_CLEARANCE_M);
  return points && lengthOf(points);
}

/** Returns the thing that has got into a way that was free when it was planned, or null. Things that only come a little nearer to it do not count. */
export function obstructorOf(world: SimWorld, points: readonly Point[]): string | null {
  const map = floorMap(world);
  const slim: FloorMap = { ...map, radiusM: map.radiusM - OBSTRUCTING_M };
  for (const [i, to] of points.entries()) {
    const from = points[i - 1];
    const blocker = from ? blockerOnWay(slim, from, to, -1) : -1;
    if (blocker !== -1) return map.footprints[blocker]?.id ?? null;
  }
  return null;
}

function lengthOf(points: readonly Point[]): number {
  return points.reduce((sum, point, i) => sum + distance(points[i - 1] ?? point, point), 0);
}

/** The place nearest to `goal` (within about 2 cm) that the robot can reach from `from`, stand at, and that `fits`; null when there is none. */
export const nearestPlace = (world: SimWorld, from: Point, goal: Point, fits: (point: Point) => boolean): Point | null =>
  nearestReachable(floorMap(world), from, goal, fits);

/** The place nearest to `goal` (within about 1 cm) that the robot can reach from `from` and stand at; null when there is none. */
function nearestReachable(map: FloorMap, from: Point, goal: Point, fits: (point: Point) => boolean = () => true): Point | null {
  return nearestWithRoom(map, NEAREST_ROOM_M, from, goal, fits) ?? nearestWithRoom(map, 0, from, goal, fits);
}

function nearestWithRoom(map: FloorMap, roomM: number, from: Point, goal: Point, fits: (point: Point) => boolean): Point | null {
  const roomy: FloorMap = { ...map, radiusM: map.radiusM + roomM };
  const nearest = nearestWhere(map, goal, (point) => isStandable(roomy, point) && fits(point));
  // Usually there is a way there; only otherwise is it worth finding everything that can be reached.
  if (nearest === null || shortestWay(map, from, nearest, 0)) return nearest;
  const isReachable = reachabilityFrom(map, from, goal);
  return nearestWhere(map, goal, (point) => isStandable(roomy, point) && fits(point) && isReachable(point));
}

/**
 * Returns a test for whether a place can be reached from `from`. A place that sees any turning point can be walked to from there,
 * so the first turning point it sees decides: either that point is reachable, or the place is not. Made for many queries about
 * places around `goal`.
 */
function reachabilityFrom(map: FloorMap, from: Point, goal: Point): (point: Point) => boolean {
  const reached = new Set(reachablePoints(map, from).map(({ index }) => index));
  const lookouts = [...waysOf(map, 0).corners].sort((one, other) => distance(one, goal) - distance(other, goal));
  return (point) => {
    // Successive queries mostly see the same turning point, so the point seen last is tried first.
    const at = lookouts.findIndex((lookout) => blockerOnWay(map, lookout, point, -1) === -1);
    const seen = lookouts[at];
    if (!seen) return blockerOnWay(map, from, point, -1) === -1;
    lookouts.splice(at, 1);
    lookouts.unshift(seen);
    return reached.has(seen.index);
  };
}

/** Returns the nearest place to `centre` that passes, searched on rings around it; the gap between rings is bisected at the end. */
function nearestWhere({ bounds }: FloorMap, centre: Point, passes: (point: Point) => boolean): Point | null {
  const farthestM = portable.hypot(bounds.maxX - bounds.minX, bounds.maxY - bounds.minY);
  let innerM = 0;
  for (let ringM = RING_STEP_M; ringM < farthestM; ringM += Math.max(RING_STEP_M, ringM * RING_GROWTH)) {
    let best: { place: Point; radiusM: number } | null = null;
    for (const { x, y } of RING_DIRECTIONS) {
      const at = (radiusM: number): Point => ({ x: centre.x + radiusM * x, y: centre.y + radiusM * y });
      if (!passes(at(ringM))) continue;
      const radiusM = nearestAlong(innerM, ringM, (middleM) => passes(at(middleM)));
      if (!best || radiusM < best.radiusM) best = { place: at(radiusM), radiusM };
    }
    if (best) return best.place;
    innerM = ringM;
  }
  return null;
}

/** Returns the smallest distance that passes, between one that fails and one that passes, by bisection. */
function nearestAlong(failsM: number, passesM: number, passes: (radiusM: number) => boolean): number {
  let [low, high] = [failsM, passesM];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}
