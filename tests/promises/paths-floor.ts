/**
 * The judge's own picture of the floor: solid shapes from the wire's `scene_layout` and from Rapier's bodies, a fine grid of
 * clearances, flood fill, and a wave front for shortest lengths. Shares no code with the planner. World frame, metres.
 */

export interface XY {
  x: number;
  y: number;
}

/** A convex shape seen from above, corners anticlockwise. */
export interface Shape {
  id: string;
  corners: readonly XY[];
  /** How much more room it requires than other shapes. */
  extraM?: number;
}

interface LayoutDocument {
  bounds: { min: readonly number[]; max: readonly number[] };
  obstacles: readonly {
    obstacle_id?: string;
    pose: { position: readonly number[]; yaw_deg?: number | undefined };
    size: readonly number[];
  }[];
}

interface Body {
  translation(): XY & { z: number };
  rotation(): { x: number; y: number; z: number; w: number };
}

const CUBE_HALF_M = 0.075;
/** The robot walks under a box that is higher than the base's body. */
const HEIGHT_M = 1.2;
/** Spacing of the fine grid; the half metre is a multiple of it. */
export const FINE_M = 0.025;
/** A point between four of the grid's is at most this far from the nearest. */
const HALF_DIAGONAL_M = FINE_M * Math.SQRT1_2;
/** Clearances beyond this are irrelevant. */
const FAR_M = 0.6;
const EPSILON_M = 1e-5;
/**
 * A first-order wave front is too long by this at most, for paths of half a metre and more; `paths-judge.test.ts` measures it.
 */
export const WAVE_EXCESS = 1.03;

/**
 * Boxes of the layout document as shapes.
 * @param extraM room that those higher than `fromHeightM` require beyond that of others
 */
export const layoutShapes = ({ obstacles }: LayoutDocument, extraM = 0, fromHeightM = Number.POSITIVE_INFINITY): Shape[] =>
  obstacles.map(({ obstacle_id: id, pose: { position, yaw_deg: yawDeg }, size }, i) => {
    const [cos, sin] = [Math.cos(((yawDeg ?? 0) * Math.PI) / 180), Math.sin(((yawDeg ?? 0) * Math.PI) / 180)];
    const [x = 0, y = 0] = position;
    const [halfX, halfY] = [(size[0] ?? 0) / 2, (size[1] ?? 0) / 2];
    const corners = [
      [-halfX, -halfY],
      [halfX, -halfY],
      [halfX, halfY],
      [-halfX, halfY],
    ].map(([a = 0, b = 0]) => ({ x: x + cos * a - sin * b, y: y + sin * a + cos * b }));
    const isHigh = (position[2] ?? 0) + (size[2] ?? 0) / 2 > fromHeightM;
    return { id: id ?? `obstacle ${i}`, corners, ...(isHigh ? { extraM } : {}) };
  });

/**
 * The shadow of a cube's body on the floor, or null if it is above the robot. `upright` true: of the upright box round it, as a
 * cautious walker sees it.
 */
export function cubeShape(id: string, body: Body, upright: boolean): Shape | null {
  const at = body.translation();
  if (at.z - CUBE_HALF_M > HEIGHT_M) return null;
  const q = body.rotation();
  const shadow: XY[] = [];
  for (const a of [-CUBE_HALF_M, CUBE_HALF_M])
    for (const b of [-CUBE_HALF_M, CUBE_HALF_M])
      for (const c of [-CUBE_HALF_M, CUBE_HALF_M]) {
        const [tx, ty, tz] = [2 * (q.y * c - q.z * b), 2 * (q.z * a - q.x * c), 2 * (q.x * b - q.y * a)];
        shadow.push({ x: at.x + a + q.w * tx + q.y * tz - q.z * ty, y: at.y + b + q.w * ty + q.z * tx - q.x * tz });
      }
  if (!upright) return { id, corners: hull(shadow) };
  const [minX, maxX] = [Math.min(...shadow.map(({ x }) => x)), Math.max(...shadow.map(({ x }) => x))];
  const [minY, maxY] = [Math.min(...shadow.map(({ y }) => y)), Math.max(...shadow.map(({ y }) => y))];
  return {
    id,
    corners: [
      { x: minX, y: minY },
      { x: maxX, y: minY },
      { x: maxX, y: maxY },
      { x: minX, y: maxY },
    ],
  };
}

/** Andrew's monotone chain. */
function hull(points: readonly XY[]): XY[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const chain = (ordered: readonly XY[]): XY[] => {
    const kept: XY[] = [];
    for (const point of ordered) {
      for (;;) {
        const [a, b] = [kept.at(-2), kept.at(-1)];
        if (!a || !b || (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > 1e-12) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** From a point to a shape; 0 inside. */
export function distanceTo({ corners }: Shape, { x, y }: XY): number {
  let least = Number.POSITIVE_INFINITY;
  let inside = true;
  let from = corners[corners.length - 1] ?? { x: 0, y: 0 };
  for (const to of corners) {
    const [edgeX, edgeY] = [to.x - from.x, to.y - from.y];
    if (edgeX * (y - from.y) - edgeY * (x - from.x) < 0) inside = false;
    const along = ((x - from.x) * edgeX + (y - from.y) * edgeY) / (edgeX * edgeX + edgeY * edgeY);
    const share = Math.min(Math.max(along, 0), 1);
    const [dx, dy] = [from.x + share * edgeX - x, from.y + share * edgeY - y];
    least = Math.min(least, dx * dx + dy * dy);
    from = to;
  }
  return inside ? 0 : Math.sqrt(least);
}

/** The floor of one moment. */
export class JudgesFloor {
  readonly shapes: readonly Shape[];
  readonly min: XY;
  readonly max: XY;
  private readonly columns: number;
  private readonly rows: number;
  /** Of each point of the fine grid, row by row, up to `FAR_M`. */
  private readonly clearances: Float32Array;

  /** @param under the same floor without the loose shapes, so that only those are computed */
  constructor(
    layout: LayoutDocument,
    loose: readonly Shape[],
    under?: JudgesFloor,
    fixed: readonly Shape[] = layoutShapes(layout),
  ) {
    const { min, max } = layout.bounds;
    this.min = { x: min[0] ?? 0, y: min[1] ?? 0 };
    this.max = { x: max[0] ?? 0, y: max[1] ?? 0 };
    this.columns = Math.round((this.max.x - this.min.x) / FINE_M) + 1;
    this.rows = Math.round((this.max.y - this.min.y) / FINE_M) + 1;
    this.shapes = [...(under ? under.shapes : fixed), ...loose];
    this.clearances = under ? under.clearances.slice() : new Float32Array(this.columns * this.rows).fill(FAR_M);
    for (const shape of under ? loose : this.shapes) this.cast(shape);
  }

  private cast(shape: Shape): void {
    const { extraM = 0 } = shape;
    const reachM = FAR_M + extraM;
    const xs = shape.corners.map(({ x }) => x);
    const ys = shape.corners.map(({ y }) => y);
    const column = (x: number) => Math.min(this.columns - 1, Math.max(0, Math.floor((x - this.min.x) / FINE_M)));
    const row = (y: number) => Math.min(this.rows - 1, Math.max(0, Math.floor((y - this.min.y) / FINE_M)));
    const [firstColumn, lastColumn] = [column(Math.min(...xs) - reachM), column(Math.max(...xs) + reachM)];
    for (let j = row(Math.min(...ys) - reachM); j <= row(Math.max(...ys) + reachM); j += 1)
      for (let i = firstColumn; i <= lastColumn; i += 1) {
        const at = j * this.columns + i;
        const distance = Math.max(0, distanceTo(shape, { x: this.min.x + i * FINE_M, y: this.min.y + j * FINE_M }) - extraM);
        if (distance < (this.clearances[at] ?? 0)) this.clearances[at] = distance;
      }
  }

  isInside({ x, y }: XY): boolean {
    return x >= this.min.x && x <= this.max.x && y >= this.min.y && y <= this.max.y;
  }

  /** Exact distance to the nearest shape, and which it is. */
  nearest(point: XY): { id: string; distanceM: number } {
    let best = { id: '', distanceM: Number.POSITIVE_INFINITY };
    for (const shape of this.shapes) {
      const distanceM = distanceTo(shape, point);
      if (distanceM < best.distanceM) best = { id: shape.id, distanceM };
    }
    return best;
  }

  /** The least exact distance to any shape along a segment, in steps of a centimetre. */
  clearanceAlong(from: XY, to: XY): number {
    const pieces = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 0.01));
    const reach = Math.hypot(to.x - from.x, to.y - from.y) / 2 + FAR_M;
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const near = this.shapes.filter((shape) => distanceTo(shape, middle) < reach);
    let least = FAR_M;
    for (let i = 0; i <= pieces; i += 1) {
      const point = { x: from.x + ((to.x - from.x) * i) / pieces, y: from.y + ((to.y - from.y) * i) / pieces };
      for (const shape of near) least = Math.min(least, distanceTo(shape, point));
    }
    return least;
  }

  /** The approximate room at a place, up to 0.6 m: that of the fine grid's point nearest to it. */
  roomAt(point: XY): number {
    return this.clearances[this.index(point)] ?? 0;
  }

  private index({ x, y }: XY): number {
    const i = Math.round((x - this.min.x) / FINE_M);
    const j = Math.round((y - this.min.y) / FINE_M);
    return Math.min(this.rows - 1, Math.max(0, j)) * this.columns + Math.min(this.columns - 1, Math.max(0, i));
  }

  /**
   * Rooms of the floor for a disc: a path exists between places with the same number, and 0 has no room. Places that are
   * connected on the `strict` floor are certainly connected: half a step between two of its points is free too. Places that are
   * separate on the `generous` floor are certainly separate: every free place has one of its points within half a diagonal.
   */
  rooms(radiusM: number, kind: 'strict' | 'generous'): (point: XY) => number {
    const wanted = radiusM + (kind === 'strict' ? FINE_M / 2 : -HALF_DIAGONAL_M) - EPSILON_M;
    const { columns, rows, clearances } = this;
    const rooms = new Int32Array(columns * rows);
    let count = 0;
    const open: number[] = [];
    for (let seed = 0; seed < rooms.length; seed += 1) {
      if (rooms[seed] !== 0 || (clearances[seed] ?? 0) < wanted) continue;
      count += 1;
      rooms[seed] = count;
      open.push(seed);
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        const i = at % columns;
        const neighbours = [i > 0 ? at - 1 : -1, i < columns - 1 ? at + 1 : -1, at - columns, at + columns];
        for (const next of neighbours) {
          if (next < 0 || next >= rooms.length || rooms[next] !== 0 || (clearances[next] ?? 0) < wanted) continue;
          rooms[next] = count;
          open.push(next);
        }
      }
    }
    return (point) => (this.isInside(point) ? (rooms[this.index(point)] ?? 0) : 0);
  }

  /**
   * Lengths of the shortest paths of a disc from a place to every other: the wave front of the fast marching method (Sethian
   * 1996), first order, on a floor that is half a grid diagonal too generous, less its possible excess. It is seeded with exact
   * distances near the start.
   */
  lengthsFrom(start: XY, radiusM: number): (point: XY) => number {
    const { columns, clearances } = this;
    const wanted = radiusM - HALF_DIAGONAL_M - EPSILON_M;
    const lengths = new Float64Array(clearances.length).fill(Number.POSITIVE_INFINITY);
    const done = new Uint8Array(clearances.length);
    const heap = new Heap(lengths);
    const exactM = Math.max(2 * FINE_M, Math.min(FAR_M, this.nearest(start).distanceM) - radiusM);
    const reach = Math.ceil(exactM / FINE_M);
    const centre = this.index(start);
    for (let dj = -reach; dj <= reach; dj += 1)
      for (let di = -reach; di <= reach; di += 1) {
        const at = centre + dj * columns + di;
        if (!((clearances[at] ?? 0) >= wanted)) continue;
        const x = this.min.x + (at % columns) * FINE_M;
        const y = this.min.y + Math.floor(at / columns) * FINE_M;
        const exact = Math.hypot(x - start.x, y - start.y);
        if (exact > exactM) continue;
        lengths[at] = exact;
        heap.push(at);
      }
    for (let at = heap.pop(); at >= 0; at = heap.pop()) {
      if (done[at] === 1) continue;
      done[at] = 1;
      for (const next of [at - 1, at + 1, at - columns, at + columns]) {
        if (next < 0 || next >= lengths.length || done[next] === 1 || (clearances[next] ?? 0) < wanted) continue;
        const a = Math.min(lengths[next - 1] ?? Number.POSITIVE_INFINITY, lengths[next + 1] ?? Number.POSITIVE_INFINITY);
        const b = Math.min(
          lengths[next - columns] ?? Number.POSITIVE_INFINITY,
          lengths[next + columns] ?? Number.POSITIVE_INFINITY,
        );
        // |grad length| = 1 with upwind differences.
        const apart = Math.abs(a - b);
        const length = apart >= FINE_M ? Math.min(a, b) + FINE_M : (a + b + Math.sqrt(2 * FINE_M * FINE_M - apart * apart)) / 2;
        if (length >= (lengths[next] ?? 0)) continue;
        lengths[next] = length;
        heap.push(next);
      }
    }
    return (point) => (lengths[this.index(point)] ?? Number.POSITIVE_INFINITY) / WAVE_EXCESS;
  }

  /**
   * The distance to `goal` of the nearest point of the fine grid that has room for the disc and fulfils `passes`; `withinM` if
   * none is nearer.
   */
  nearestWhere(goal: XY, radiusM: number, withinM: number, passes: (point: XY) => boolean): number {
    let best = withinM;
    const reach = Math.ceil(withinM / FINE_M);
    const centre = { i: Math.round((goal.x - this.min.x) / FINE_M), j: Math.round((goal.y - this.min.y) / FINE_M) };
    for (let j = Math.max(0, centre.j - reach); j <= Math.min(this.rows - 1, centre.j + reach); j += 1)
      for (let i = Math.max(0, centre.i - reach); i <= Math.min(this.columns - 1, centre.i + reach); i += 1) {
        if ((this.clearances[j * this.columns + i] ?? 0) < radiusM) continue;
        const point = { x: this.min.x + i * FINE_M, y: this.min.y + j * FINE_M };
        const distanceM = Math.sqrt((point.x - goal.x) ** 2 + (point.y - goal.y) ** 2);
        if (distanceM < best && passes(point)) best = distanceM;
      }
    return best;
  }
}

/** A binary heap of grid points by their length; points whose length decreased are in it twice. */
class Heap {
  private readonly entries: { point: number; key: number }[] = [];
  private readonly lengths: Float64Array;

  constructor(lengths: Float64Array) {
    this.lengths = lengths;
  }

  push(point: number): void {
    const entry = { point, key: this.lengths[point] ?? 0 };
    let at = this.entries.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.entries[above];
      if (!parent || parent.key <= entry.key) break;
      this.entries[at] = parent;
      at = above;
    }
    this.entries[at] = entry;
  }

  /** -1 if it is empty. */
  pop(): number {
    const top = this.entries[0];
    const last = this.entries.pop();
    if (!top || !last) return -1;
    if (this.entries.length === 0) return top.point;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = this.entries[below];
      const right = this.entries[below + 1];
      if (child && right && right.key < child.key) {
        child = right;
        below += 1;
      }
      if (!child || child.key >= last.key) break;
      this.entries[at] = child;
      at = below;
    }
    this.entries[at] = last;
    return top.point;
  }
}
