import * as portable from '../../common/portable-math.ts';
import { turnedOn } from '../turned-box.ts';
import {
  distance,
  EPSILON_M,
  type FloorMap,
  type Footprint,
  isClearOf,
  isInside,
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
const VERTEX_STEP_RAD = Math.PI / 2 / VERTICES_PER_CORNER;
const VERTEX_DIRECTIONS = Array.from(
  { length: 4 * VERTICES_PER_CORNER },
  (_, i): Point => ({ x: portable.cos((i + 0.5) * VERTEX_STEP_RAD), y: portable.sin((i + 0.5) * VERTEX_STEP_RAD) }),
);

export interface TurningPoint extends Point {
  /** From it to its neighbours on the polygon round the rectangle. */
  readonly beforeX: number;
  readonly beforeY: number;
  readonly afterX: number;
  readonly afterY: number;
  /** Its number among those of a map, and among those round the layout's obstacles, which never move; -1 round a thing. */
  readonly index: number;
  readonly fixedIndex: number;
}

/** A straight way between two turning points that a shortest way may take, were nothing else there. */
export interface Tangent {
  readonly corner: TurningPoint;
  readonly lengthM: number;
}

/** The turning points of a map, and the known results about the straight ways between them. */
export interface Ways {
  readonly corners: readonly TurningPoint[];
  /** From each corner that a search came to, in the order of the corners. */
  readonly tangents: (readonly Tangent[] | undefined)[];
  /** The straight way from corner to corner, `from * corners.length + to`: an index into `FREEDOMS`, or `UNKNOWN` until a search asks. */
  readonly freedoms: Uint8Array;
}

const FREEDOMS: readonly Freedom[] = ['blocked', 'tight', 'free'];
const UNKNOWN = FREEDOMS.length;

/**
 * Those of each kind of robot with empty hands, and some more: a carried thing wants a clearance of its own, slightly
 * different in each grip, and old ones are not requested again.
 */
const CLEARANCES_KEPT = 8;

/** Returns what is kept under a key, or makes it and forgets what was not asked for longest. */
function recalled<K>(kept: Map<K, Ways>, key: K, make: () => Ways): Ways {
  const ways = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, ways);
  if (kept.size > CLEARANCES_KEPT) kept.delete(kept.keys().next().value as K);
  return ways;
}

const waysByLayout = new WeakMap<FloorMap['layout'], Map<string, Ways>>();
const waysByMap = new WeakMap<FloorMap, Map<number, Ways>>();

const waysBetween = (corners: readonly TurningPoint[]): Ways => ({
  corners,
  tangents: [],
  freedoms: new Uint8Array(corners.length * corners.length).fill(UNKNOWN),
});

/** Same as `waysOf` for a map without things: the same for every map of a layout. */
function fixedWays(map: FloorMap, clearanceM: number): Ways {
  const ofLayout = waysByLayout.get(map.layout) ?? new Map<string, Ways>();
  waysByLayout.set(map.layout, ofLayout);
  return recalled(ofLayout, `${map.radiusM} ${clearanceM} ${map.fixedCount}`, () => {
    const standing = cornersOf(map, clearanceM, 0, map.fixedCount, map.fixedCount);
    return waysBetween(standing.map((corner, index) => ({ ...corner, index, fixedIndex: index })));
  });
}

/** The turning points of a map at which the disc can stand. */
export function waysOf(map: FloorMap, clearanceM: number): Ways {
  const ofMap = waysByMap.get(map) ?? new Map<number, Ways>();
  waysByMap.set(map, ofMap);
  return recalled(ofMap, clearanceM, () => {
    const { fixedCount, footprints } = map;
    const fixed = fixedWays(map, clearanceM);
    if (fixedCount === footprints.length) return fixed;
    const all = [
      ...fixed.corners.filter((point) => isClearOf(map, point, fixedCount, footprints.length)),
      ...cornersOf(map, clearanceM, fixedCount, footprints.length, footprints.length),
    ];
    return waysBetween(all.map((corner, index) => ({ ...corner, index })));
  });
}

/** Turning points round footprints `first` to `end`, clear of the map's first `among` footprints. */
function cornersOf(map: FloorMap, clearanceM: number, first: number, end: number, among: number): TurningPoint[] {
  const rings = clearanceM > 0 ? [map.radiusM + clearanceM, map.radiusM] : [map.radiusM];
  return map.footprints
    .slice(first, end)
    .flatMap((footprint) =>
      rings.flatMap((ringM) =>
        polygonRound(footprint, ringM).filter((point) => isInside(map, point) && isClearOf(map, point, 0, among)),
      ),
    );
}

function polygonRound(footprint: Footprint, ringM: number): TurningPoint[] {
  const { turned } = footprint;
  const { minX, maxX, minY, maxY } = turned?.edges ?? footprint;
  // Circumscribed: the polygon's sides touch the arcs, its vertices are a little outside.
  const distance = (ringM + EPSILON_M) / portable.cos(VERTEX_STEP_RAD / 2);
  const count = VERTEX_DIRECTIONS.length;
  const points = VERTEX_DIRECTIONS.map(
    ({ x, y }): Point =>
      turnedOn(turned?.turn ?? null, { x: (x > 0 ? maxX : minX) + distance * x, y: (y > 0 ? maxY : minY) + distance * y }),
  );
  return points.map(({ x, y }, i): TurningPoint => {
    const before = points[(i + count - 1) % count] ?? { x, y };
    const after = points[(i + 1) % count] ?? { x, y };
    return {
      x,
      y,
      beforeX: before.x - x,
      beforeY: before.y - y,
      afterX: after.x - x,
      afterY: after.y - y,
      index: -1,
      fixedIndex: -1,
    };
  });
}

/**
 * Returns whether a shortest way that turns at `corner` can lead along the line between it and `other`: only when that line passes
 * the polygon around the obstacle without cutting it, so that its neighbours are on one side.
 */
function isTangent({ x, y, beforeX, beforeY, afterX, afterY }: TurningPoint, other: Point): boolean {
  const [wayX, wayY] = [other.x - x, other.y - y];
  const besideBefore = wayX * beforeY - wayY * beforeX;
  const besideAfter = wayX * afterY - wayY * afterX;
  if (besideBefore * besideAfter >= 0) return true;
  const tolerance = EPSILON_M * (Math.abs(wayX) + Math.abs(wayY));
  return Math.min(Math.abs(besideBefore), Math.abs(besideAfter)) < tolerance;
}

/** Returns the lines from a turning point of a map that are tangent to both polygons at their ends. */
export function tangentsFrom({ corners, tangents }: Ways, from: TurningPoint): readonly Tangent[] {
  const known = tangents[from.index];
  if (known) return known;
  const found: Tangent[] = [];
  for (const corner of corners) {
    if (corner.index === from.index || !isTangent(from, corner) || !isTangent(corner, from)) continue;
    found.push({ corner, lengthM: distance(from, corner) });
  }
  tangents[from.index] = found;
  return found;
}

/** How free a straight way is: not at all, with the disc's radius, or with the wanted clearance beyond it. */
export type Freedom = 'blocked' | 'tight' | 'free';

/**
 * Returns whether the disc can go straight from one point to another.
 * A start that is already too near to something may be left, but not towards that thing.
 */
export function straightWay(map: FloorMap, from: Point, to: Point, clearanceM: number): Freedom {
  return freedomAmong(map, from, to, clearanceM, 0, map.footprints.length);
}

/** Same as `straightWay` from one turning point of a map to another; a known result is not computed again. */
export function wayBetween(map: FloorMap, ways: Ways, from: TurningPoint, to: TurningPoint, clearanceM: number): Freedom {
  const at = from.index * ways.corners.length + to.index;
  const known = FREEDOMS[ways.freedoms[at] ?? UNKNOWN];
  if (known !== undefined) return known;
  const found = findWay(map, from, to, clearanceM);
  ways.freedoms[at] = FREEDOMS.indexOf(found);
  return found;
}

function findWay(map: FloorMap, from: TurningPoint, to: TurningPoint, clearanceM: number): Freedom {
  const { fixedCount, footprints } = map;
  const isFixed = from.fixedIndex >= 0 && to.fixedIndex >= 0;
  if (!isFixed || footprints.length === fixedCount) return straightWay(map, from, to, clearanceM);
  const fixed = fixedWays(map, clearanceM);
  const at = from.fixedIndex * fixed.corners.length + to.fixedIndex;
  let among = FREEDOMS[fixed.freedoms[at] ?? UNKNOWN];
  if (among === undefined) {
    among = freedomAmong(map, from, to, clearanceM, 0, fixedCount);
    fixed.freedoms[at] = FREEDOMS.indexOf(among);
  }
  if (among === 'blocked') return among;
  const amongCubes = freedomAmong(map, from, to, clearanceM, fixedCount, footprints.length);
  return amongCubes === 'free' ? among : amongCubes;
}

/** Returns whether it is already known that no straight way leads from one turning point of a map to another. */
export const isKnownBlocked = ({ corners, freedoms }: Ways, from: TurningPoint, to: TurningPoint): boolean =>
  freedoms[from.index * corners.length + to.index] === 0;

function freedomAmong(map: FloorMap, from: Point, to: Point, clearanceM: number, first: number, end: number): Freedom {
  const wantedM = map.radiusM + clearanceM - EPSILON_M;
  const { edges } = map;
  const [wayX, wayY] = [to.x - from.x, to.y - from.y];
  const [lowX, highX] = wayX > 0 ? [from.x - wantedM, to.x + wantedM] : [to.x - wantedM, from.x + wantedM];
  const [lowY, highY] = wayY > 0 ? [from.y - wantedM, to.y + wantedM] : [to.y - wantedM, from.y + wantedM];
  // Across the way: a thing farther than this from the way's line is farther from the way too.
  const lengthM = Math.sqrt(wayX * wayX + wayY * wayY);
  const [acrossX, acrossY] = lengthM === 0 ? [0, 0] : [-wayY / lengthM, wayX / lengthM];
  let freedom: Freedom = 'free';
  for (let i = first; i < end; i += 1) {
    const [minX, maxX] = [edges[4 * i] ?? 0, edges[4 * i + 1] ?? 0];
    if (minX > highX || maxX < lowX) continue;
    const [minY, maxY] = [edges[4 * i + 2] ?? 0, edges[4 * i + 3] ?? 0];
    if (minY > highY || maxY < lowY) continue;
    const offM = Math.abs(acrossX * ((minX + maxX) / 2 - from.x) + acrossY * ((minY + maxY) / 2 - from.y));
    if (offM > wantedM + (Math.abs(acrossX) * (maxX - minX) + Math.abs(acrossY) * (maxY - minY)) / 2) continue;
    const box = map.footprints[i];
    if (!box) continue;
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
 * Returns a footprint that keeps the disc from going straight from one point to another, by its index in the map; -1 when none
 * does.
 * @param guess is tried first: the blocker of one way from a point mostly blocks the way to the next point too
 * @param roundM the footprint must also block every straight way to a point this near to `to`
 */
export function blockerOnWay(map: FloorMap, from: Point, to: Point, guess: number, roundM = 0): number {
  const guessed = map.footprints[guess];
  // When the end of a segment moves by d, the segment comes no farther from anything than by d.
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
