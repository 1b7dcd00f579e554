import { EPSILON_M, type FloorMap, type Point } from './footprints.ts';
import { isKnownBlocked, isTangent, straightWay, type TurningPoint, type Ways, wayBetween, waysOf } from './visibility.ts';

/** The cost of a metre without the wanted clearance. */
const TIGHT_COST = 1.25;
/** After this many turning points the search checks whether there is a way at all: most ways are found before. */
const HOPEFUL = 150;

export function distance(a: Point, b: Point): number {
  const [wayX, wayY] = [b.x - a.x, b.y - a.y];
  return Math.sqrt(wayX * wayX + wayY * wayY);
}

interface Node extends Point {
  /** The corner it stands at; null for start and goal. */
  readonly corner: TurningPoint | null;
  /** Straight to the goal. */
  readonly restM: number;
  /** Cost of the cheapest way from the start, once it is `closed`; before that, of the cheapest known free way. */
  cost: number;
  previous: Node | null;
  closed: boolean;
}

/** A straight piece that may belong to the shortest way. */
interface Step {
  readonly from: Node;
  readonly to: Node;
  /** Cost of the way to its end; without `isChecked`, of the way if the piece is free. */
  readonly cost: number;
  /** Cost with the straight rest to the goal. */
  readonly total: number;
  readonly isChecked: boolean;
  /** Its number among the search's steps. */
  order: number;
}

/**
 * Returns the shortest way over the turning points, or null: A* that checks whether a straight piece is free only when the piece
 * is next, as in Lazy PRM (Bohlin and Kavraki 2000); most pieces never are.
 */
export function shortestWay(map: FloorMap, from: Point, to: Point, clearanceM: number): Point[] | null {
  if (straightWay(map, from, to, clearanceM) === 'free') return wayOf([from, to]);
  const toNode = ({ x, y }: Point, corner: TurningPoint | null): Node => ({
    x,
    y,
    corner,
    restM: distance({ x, y }, to),
    cost: Number.POSITIVE_INFINITY,
    previous: null,
    closed: false,
  });
  const ways = waysOf(map, clearanceM);
  const freedomOf = ({ from: one, to: other }: Step) =>
    one.corner && other.corner
      ? wayBetween(map, ways, one.corner, other.corner, clearanceM)
      : straightWay(map, one, other, clearanceM);
  const start = toNode(from, null);
  const goal = toNode(to, null);
  const nodes = [goal, ...ways.corners.map((corner) => toNode(corner, corner))];
  const steps = new StepHeap();
  let closed = 0;
  start.cost = 0;
  let node: Node = start;
  for (;;) {
    node.closed = true;
    closed += 1;
    if (closed === HOPEFUL && !isReachable(map, from, to)) return null;
    pushSteps(steps, ways, node, nodes);
    const step = nextFreeStep(steps, freedomOf);
    if (!step) return null;
    node = step.to;
    node.cost = step.cost;
    node.previous = step.from;
    if (node === goal) return wayTo(goal);
  }
}

function pushSteps(steps: StepHeap, ways: Ways, node: Node, nodes: readonly Node[]): void {
  const { corner } = node;
  for (const next of nodes) {
    if (next.closed || next === node) continue;
    // Start and goal may be inside a corner's polygon, from where no line is tangent to it.
    if (corner && next.corner) {
      if (!isTangent(corner, next) || !isTangent(next.corner, node) || isKnownBlocked(ways, corner, next.corner)) continue;
    }
    const cost = node.cost + distance(node, next);
    if (cost < next.cost) steps.push({ from: node, to: next, cost, total: cost + next.restM, isChecked: false, order: 0 });
  }
}

/** Returns the cheapest piece that is free and leads somewhere new. Ties follow the order of pushing, so that ways are repeatable. */
function nextFreeStep(steps: StepHeap, freedomOf: (step: Step) => 'blocked' | 'tight' | 'free'): Step | null {
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { from, to, isChecked } = step;
    if (to.closed || step.cost > to.cost) continue;
    if (isChecked) return step;
    const freedom = freedomOf(step);
    if (freedom === 'free') return step;
    if (freedom === 'blocked') continue;
    const cost = from.cost + distance(from, to) * TIGHT_COST;
    if (cost >= to.cost) continue;
    to.cost = cost;
    steps.push({ from, to, cost, total: cost + to.restM, isChecked: true, order: 0 });
  }
  return null;
}

function wayTo(goal: Node): Point[] {
  const way: Point[] = [];
  for (let node: Node | null = goal; node; node = node.previous) way.push(node);
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

/** Tells whether the disc can get from one place to the other at all. Both ends are explored in turns: an enclosed area is mostly small, and soon known. */
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

/** A binary heap: least total first; among equals, first pushed first. */
class StepHeap {
  private readonly steps: Step[] = [];
  private pushed = 0;

  push(step: Step): void {
    step.order = this.pushed;
    this.pushed += 1;
    let at = this.steps.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.steps[above];
      if (!parent || !isBefore(step, parent)) break;
      this.steps[at] = parent;
      at = above;
    }
    this.steps[at] = step;
  }

  pop(): Step | null {
    const top = this.steps[0];
    const last = this.steps.pop();
    if (!top || !last) return null;
    if (this.steps.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = this.steps[below];
      const right = this.steps[below + 1];
      if (child && right && isBefore(right, child)) {
        child = right;
        below += 1;
      }
      if (!child || !isBefore(child, last)) break;
      this.steps[at] = child;
      at = below;
    }
    this.steps[at] = last;
    return top;
  }
}

const isBefore = (one: Step, other: Step): boolean =>
  one.total < other.total || (one.total === other.total && one.order < other.order);
