import { distance, EPSILON_M, type FloorMap, type Point } from './footprints.ts';
import { NONE, PieceHeap } from './piece-heap.ts';
import {
  type Freedom,
  isKnownBlocked,
  straightWay,
  type TurningPoint,
  tangentsFrom,
  type Ways,
  wayBetween,
  waysOf,
} from './visibility.ts';

/** The cost of a metre without the wanted clearance. */
const TIGHT_COST = 1.25;
/** After this many turning points the search checks whether there is a way at all: most ways are found before. */
const HOPEFUL = 150;

/** The state of a search. Its places have numbers: those of the map's turning points, then the goal, then the start. */
interface Search {
  readonly map: FloorMap;
  readonly clearanceM: number;
  readonly ways: Ways;
  readonly from: Point;
  readonly to: Point;
  readonly goal: number;
  readonly start: number;
  /** Of each place: the cost of the cheapest way to it, once it is closed; before that, of the cheapest way known to be free. */
  readonly costs: Float64Array;
  readonly isClosed: Uint8Array;
  /** Of each closed place: the one before it on the cheapest way. */
  readonly previous: Int32Array;
  readonly pieces: PieceHeap;
}

/**
 * Returns the shortest way over the turning points, or null: A* that checks whether a straight piece is free only when the piece
 * is next, as in Lazy PRM (Bohlin and Kavraki 2000); most pieces never are.
 */
export function shortestWay(map: FloorMap, from: Point, to: Point, clearanceM: number): Point[] | null {
  if (straightWay(map, from, to, clearanceM) === 'free') return wayOf([from, to]);
  const search = createSearch(map, from, to, clearanceM);
  let closed = 0;
  for (let place = search.start; place !== search.goal; ) {
    closed += 1;
    if (closed === HOPEFUL && !isReachable(map, from, to)) return null;
    pushPieces(search, place);
    place = closeNext(search);
    if (place === NONE) return null;
  }
  return wayTo(search);
}

function createSearch(map: FloorMap, from: Point, to: Point, clearanceM: number): Search {
  const ways = waysOf(map, clearanceM);
  const goal = ways.corners.length;
  const start = goal + 1;
  const costs = new Float64Array(goal + 2).fill(Number.POSITIVE_INFINITY);
  const isClosed = new Uint8Array(goal + 2);
  costs[start] = 0;
  isClosed[start] = 1;
  const previous = new Int32Array(goal + 2).fill(NONE);
  return { map, clearanceM, ways, from, to, goal, start, costs, isClosed, previous, pieces: new PieceHeap() };
}

const pointOf = ({ ways, from, to, goal }: Search, place: number): Point => ways.corners[place] ?? (place === goal ? to : from);

/** Adds the straight pieces from a place that may belong to the shortest way: to the goal, then to what is not closed. */
function pushPieces(search: Search, place: number): void {
  const { ways, from, to, goal, costs, isClosed } = search;
  const cost = costs[place] ?? 0;
  const corner = ways.corners[place];
  pushPiece(search, place, goal, cost + distance(corner ?? from, to), 0);
  if (!corner) {
    // The start may be inside a corner's polygon, from where no line is tangent to it.
    for (const next of ways.corners) pushPiece(search, place, next.index, cost + distance(from, next), distance(next, to));
    return;
  }
  for (const { corner: next, lengthM } of tangentsFrom(ways, corner)) {
    if (isClosed[next.index] === 1 || isKnownBlocked(ways, corner, next)) continue;
    pushPiece(search, place, next.index, cost + lengthM, distance(next, to));
  }
}

function pushPiece({ costs, pieces }: Search, from: number, to: number, cost: number, restM: number): void {
  if (cost < (costs[to] ?? 0)) pieces.push(from, to, cost, restM, false);
}

/** Closes the place to which the cheapest way leads that is free and leads somewhere new, and returns it; NONE when there is none. Ties follow the order of pushing, so that ways are repeatable. */
function closeNext(search: Search): number {
  const { to: goalPoint, costs, isClosed, previous, pieces } = search;
  for (let piece = pieces.pop(); piece !== NONE; piece = pieces.pop()) {
    const [from, to, cost] = [pieces.from[piece] ?? NONE, pieces.to[piece] ?? NONE, pieces.cost[piece] ?? 0];
    if (isClosed[to] === 1 || cost > (costs[to] ?? 0)) continue;
    const freedom = pieces.isChecked[piece] ? 'free' : freedomBetween(search, from, to);
    if (freedom === 'free') {
      isClosed[to] = 1;
      costs[to] = cost;
      previous[to] = from;
      return to;
    }
    if (freedom === 'blocked') continue;
    const [one, other] = [pointOf(search, from), pointOf(search, to)];
    const tightCost = (costs[from] ?? 0) + distance(one, other) * TIGHT_COST;
    if (tightCost >= (costs[to] ?? 0)) continue;
    costs[to] = tightCost;
    pieces.push(from, to, tightCost, distance(other, goalPoint), true);
  }
  return NONE;
}

function freedomBetween(search: Search, from: number, to: number): Freedom {
  const { map, ways, clearanceM } = search;
  const [one, other] = [ways.corners[from], ways.corners[to]];
  if (one && other) return wayBetween(map, ways, one, other, clearanceM);
  return straightWay(map, pointOf(search, from), pointOf(search, to), clearanceM);
}

function wayTo(search: Search): Point[] {
  const way: Point[] = [];
  for (let place = search.goal; place !== NONE; place = search.previous[place] ?? NONE) way.push(pointOf(search, place));
  return wayOf(way.reverse());
}

/** Returns two points or more, no point twice in a row unless the way is only that. */
function wayOf(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const { x, y } of points) {
    const last = kept.at(-1);
    if (!last || distance(last, { x, y }) > EPSILON_M) kept.push({ x, y });
  }
  const [first, last] = [kept[0], points.at(-1)];
  if (kept.length === 1 && first && last) return [first, { x: last.x, y: last.y }];
  return kept;
}

/** The turning points that can be reached from a place. */
export function reachablePoints(map: FloorMap, from: Point): readonly TurningPoint[] {
  const spread = createSpread(map, from);
  while (spread.next() !== null);
  return spread.reached;
}

/** Returns whether the disc can get from one place to the other at all. Both ends are explored in turns: an enclosed area is mostly small, and soon known. */
function isReachable(map: FloorMap, from: Point, to: Point): boolean {
  if (straightWay(map, from, to, 0) !== 'blocked') return true;
  const sides = [createSpread(map, from), createSpread(map, to)] as const;
  for (let turn = 0; ; turn = 1 - turn) {
    const found = sides[turn]?.next();
    if (!found) return false;
    if (found.some((point) => sides[1 - turn]?.has(point))) return true;
  }
}

interface Spread {
  /** The reached points, in the order in which they were reached. */
  readonly reached: readonly TurningPoint[];
  has(point: TurningPoint): boolean;
  /** Looks from one more place; returns the points seen from there for the first time, or null when no place is left. */
  next(): readonly TurningPoint[] | null;
}

/** Finds everything that can be reached from a place, place by place. */
function createSpread(map: FloorMap, from: Point): Spread {
  const ways = waysOf(map, 0);
  const reached: TurningPoint[] = [];
  const isReached = new Uint8Array(ways.corners.length);
  let left: readonly TurningPoint[] = ways.corners;
  let looked = -1;
  return {
    reached,
    has: ({ index }) => isReached[index] === 1,
    next() {
      const place = reached[looked];
      if (looked >= reached.length) return null;
      looked += 1;
      const unseen: TurningPoint[] = [];
      const seen: TurningPoint[] = [];
      for (const point of left) {
        const way = place ? wayBetween(map, ways, place, point, 0) : straightWay(map, from, point, 0);
        (way === 'blocked' ? unseen : seen).push(point);
      }
      left = unseen;
      for (const point of seen) {
        reached.push(point);
        isReached[point.index] = 1;
      }
      return seen;
    },
  };
}
