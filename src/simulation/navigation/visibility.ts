import * as portable from '../../protocol/portable-math.ts';
import {
  EPSILON_M,
  type FloorMap,
  type Footprint,
  isClearOf,
  isInside,
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
  /** Its number among those round the layout's obstacles, which never move; -1 round a cube. */
  readonly fixedIndex: number;
}

/** What is found out about the layout's obstacles, for one clearance: the same for every search, so it is found out once. */
export interface FixedWays {
  readonly corners: readonly TurningPoint[];
  /** The straight way from corner to corner, `from * corners.length + to`: an index into `FREEDOMS`, or `UNKNOWN` until a search asks. */
  readonly freedoms: Uint8Array;
}

const FREEDOMS: readonly Freedom[] = ['blocked', 'tight', 'free'];
const UNKNOWN = FREEDOMS.length;

const waysByLayout = new WeakMap<FloorMap['layout'], Map<string, FixedWays>>();

export function fixedWays(map: FloorMap, clearanceM: number): FixedWays {
  const ofLayout = waysByLayout.get(map.layout) ?? new Map<string, FixedWays>();
  waysByLayout.set(map.layout, ofLayout);
  const key = `${map.radiusM} ${clearanceM}`;
  const known = ofLayout.get(key);
  if (known) return known;
  const corners = cornersOf(map, clearanceM, 0, map.fixedCount)
    .filter((point) => isInside(map, point) && isClearOf(map, point, 0, map.fixedCount))
    .map((point, fixedIndex) => ({ ...point, fixedIndex }));
  const ways = { corners, freedoms: new Uint8Array(corners.length * corners.length).fill(UNKNOWN) };
  ofLayout.set(key, ways);
  return ways;
}

/** The candidate turning points of a map at which the disc can stand. */
export function turningPoints(map: FloorMap, clearanceM: number): TurningPoint[] {
  const { fixedCount, footprints } = map;
  return [
    ...fixedWays(map, clearanceM).corners.filter((point) => isClearOf(map, point, fixedCount, footprints.length)),
    ...cornersOf(map, clearanceM, fixedCount, footprints.length).filter((point) => isStandable(map, point)),
  ];
}

function cornersOf({ footprints, radiusM }: FloorMap, clearanceM: number, first: number, end: number): TurningPoint[] {
  const rings = clearanceM > 0 ? [radiusM + clearanceM, radiusM] : [radiusM];
  return footprints.slice(first, end).flatMap((footprint) => rings.flatMap((ringM) => polygonRound(footprint, ringM)));
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
    fixedIndex: -1,
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
  return freedomAmong(map, from, to, clearanceM, 0, map.footprints.length);
}

/** As `straightWay` from one turning point to another; what was found out before about the layout's obstacles is not looked at again. */
export function wayBetween(map: FloorMap, ways: FixedWays, from: TurningPoint, to: TurningPoint, clearanceM: number): Freedom {
  if (from.fixedIndex < 0 || to.fixedIndex < 0) return straightWay(map, from, to, clearanceM);
  const at = from.fixedIndex * ways.corners.length + to.fixedIndex;
  let known = FREEDOMS[ways.freedoms[at] ?? UNKNOWN];
  if (known === undefined) {
    known = freedomAmong(map, from, to, clearanceM, 0, map.fixedCount);
    ways.freedoms[at] = FREEDOMS.indexOf(known);
  }
  if (known === 'blocked') return known;
  const amongCubes = freedomAmong(map, from, to, clearanceM, map.fixedCount, map.footprints.length);
  return amongCubes === 'free' ? known : amongCubes;
}

function freedomAmong(map: FloorMap, from: Point, to: Point, clearanceM: number, first: number, end: number): Freedom {
  const wantedM = map.radiusM + clearanceM - EPSILON_M;
  const [minX, maxX] = from.x < to.x ? [from.x, to.x] : [to.x, from.x];
  const [minY, maxY] = from.y < to.y ? [from.y, to.y] : [to.y, from.y];
  let freedom: Freedom = 'free';
  for (let i = first; i < end; i += 1) {
    const box = map.footprints[i];
    if (!box || box.minX > maxX + wantedM || box.maxX < minX - wantedM || box.minY > maxY + wantedM || box.maxY < minY - wantedM)
      continue;
    const distance = segmentDistance(from, to, box);
    if (distance >= wantedM) continue;
    if (isTooNear(map, from, box, distance)) return 'blocked';
    freedom = 'tight';
  }
  return freedom;
}

const isTooNear = (map: FloorMap, from: Point, box: Footprint, distanceM: number): boolean =>
  distanceM === 0 || distanceM < Math.min(map.radiusM, pointDistance(from, box)) - EPSILON_M;

/**
 * Some footprint that keeps the disc from going straight from one point to another, by its place in the map; -1 when none does.
 * @param guess is tried first: what blocked one way from a point mostly blocks the way to the next point too
 * @param roundM the footprint must also block every straight way to a point this near to `to`
 */
export function blockerOnWay(map: FloorMap, from: Point, to: Point, guess: number, roundM = 0): number {
  const guessed = map.footprints[guess];
  // A segment whose end moves by d comes no farther from anything than by d.
  if (guessed && isTooNear(map, from, guessed, segmentDistance(from, to, guessed) + roundM)) return guess;
  const nearM = map.radiusM;
  const [minX, maxX] = from.x < to.x ? [from.x, to.x] : [to.x, from.x];
  const [minY, maxY] = from.y < to.y ? [from.y, to.y] : [to.y, from.y];
  return map.footprints.findIndex(
    (box) =>
      box.minX <= maxX + nearM &&
      box.maxX >= minX - nearM &&
      box.minY <= maxY + nearM &&
      box.maxY >= minY - nearM &&
      isTooNear(map, from, box, segmentDistance(from, to, box) + roundM),
  );
}
