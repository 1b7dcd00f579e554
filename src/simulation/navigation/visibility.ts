import * as portable from '../../protocol/portable-math.ts';
import {
  EPSILON_M,
  type FloorMap,
  type Footprint,
  isStandable,
  type Point,
  pointDistance,
  segmentDistance,
} from './footprints.ts';

/**
 * The places between which a shortest way for a disc runs straight: round each rectangle's corner the disc's centre must
 * keep outside an arc, and the arc is enclosed by a polygon with `VERTICES_PER_CORNER` vertices. Two rings of them: one at
 * the wanted clearance, one at the disc's radius itself for where there is no room.
 */
const VERTICES_PER_CORNER = 2;

export interface TurningPoint extends Point {
  /** Its neighbours on the polygon round the rectangle. */
  readonly before: Point;
  readonly after: Point;
}

/** The candidate turning points of a map at which the disc can stand. */
export function turningPoints(map: FloorMap, clearanceM: number): TurningPoint[] {
  const rings = clearanceM > 0 ? [map.radiusM + clearanceM, map.radiusM] : [map.radiusM];
  return map.footprints
    .flatMap((footprint) => rings.flatMap((ringM) => polygonRound(footprint, ringM)))
    .filter((point) => isStandable(map, point));
}

function polygonRound({ minX, maxX, minY, maxY }: Footprint, ringM: number): TurningPoint[] {
  const stepRad = Math.PI / 2 / VERTICES_PER_CORNER;
  // Circumscribed: the polygon's sides touch the arcs, its vertices are a little outside.
  const distance = (ringM + EPSILON_M) / portable.cos(stepRad / 2);
  const count = 4 * VERTICES_PER_CORNER;
  const points = Array.from({ length: count }, (_, i): Point => {
    const [cos, sin] = [portable.cos((i + 0.5) * stepRad), portable.sin((i + 0.5) * stepRad)];
    return { x: (cos > 0 ? maxX : minX) + distance * cos, y: (sin > 0 ? maxY : minY) + distance * sin };
  });
  return points.map((point, i) => ({
    ...point,
    before: points[(i + count - 1) % count] ?? point,
    after: points[(i + 1) % count] ?? point,
  }));
}

/**
 * Can a shortest way that turns at `corner` lead along the line between it and `other`? Only when that line passes the polygon
 * round the obstacle without cutting it: its neighbours are on one side.
 */
export function isTangent({ x, y, before, after }: TurningPoint, other: Point): boolean {
  const [wayX, wayY] = [other.x - x, other.y - y];
  const besideBefore = wayX * (before.y - y) - wayY * (before.x - x);
  const besideAfter = wayX * (after.y - y) - wayY * (after.x - x);
  const tolerance = EPSILON_M * (Math.abs(wayX) + Math.abs(wayY));
  return besideBefore * besideAfter >= 0 || Math.min(Math.abs(besideBefore), Math.abs(besideAfter)) < tolerance;
}

/** How free a straight way is: not at all, with the disc's radius, or with the wanted clearance beyond it. */
export type Freedom = 'blocked' | 'tight' | 'free';

/**
 * Whether the disc can go straight from one point to another.
 * A start that is already too near to something may be left, but not towards that thing.
 */
export function straightWay(map: FloorMap, from: Point, to: Point, clearanceM: number): Freedom {
  const wantedM = map.radiusM + clearanceM - EPSILON_M;
  const [minX, maxX] = from.x < to.x ? [from.x, to.x] : [to.x, from.x];
  const [minY, maxY] = from.y < to.y ? [from.y, to.y] : [to.y, from.y];
  let freedom: Freedom = 'free';
  for (const box of map.footprints) {
    if (box.minX > maxX + wantedM || box.maxX < minX - wantedM || box.minY > maxY + wantedM || box.maxY < minY - wantedM)
      continue;
    const distance = segmentDistance(from, to, box);
    if (distance >= wantedM) continue;
    const neededM = Math.min(map.radiusM, pointDistance(from, box)) - EPSILON_M;
    if (distance < neededM || distance === 0) return 'blocked';
    freedom = 'tight';
  }
  return freedom;
}
