import type { SimWorld } from '../../src/simulation/sim-world.ts';

interface XY {
  x: number;
  y: number;
}

/** Corners of a turned rectangle, anticlockwise: from its middle along its own two sides. */
export function cornersOf({ x, y }: XY, halfX: number, halfY: number, yawRad: number): XY[] {
  const along = { x: halfX * Math.cos(yawRad), y: halfX * Math.sin(yawRad) };
  const across = { x: -halfY * Math.sin(yawRad), y: halfY * Math.cos(yawRad) };
  return [
    { x: x + along.x + across.x, y: y + along.y + across.y },
    { x: x - along.x + across.x, y: y - along.y + across.y },
    { x: x - along.x - across.x, y: y - along.y - across.y },
    { x: x + along.x - across.x, y: y + along.y - across.y },
  ];
}

/** 0 within a convex polygon, where a point lies to the left of every side; otherwise the least distance to a side. */
export function distanceToPolygon(point: XY, corners: readonly XY[]): number {
  let isInside = true;
  let least = Number.POSITIVE_INFINITY;
  corners.forEach((from, i) => {
    const to = corners[(i + 1) % corners.length] ?? from;
    const [sideX, sideY, toX, toY] = [to.x - from.x, to.y - from.y, point.x - from.x, point.y - from.y];
    if (sideX * toY - sideY * toX < 0) isInside = false;
    const share = Math.min(1, Math.max(0, (toX * sideX + toY * sideY) / (sideX * sideX + sideY * sideY)));
    least = Math.min(least, Math.hypot(toX - share * sideX, toY - share * sideY));
  });
  return isInside ? 0 : least;
}

/**
 * The slow and obvious planner: a grid over the floor, a cell free when the disc clears every box there (distance sampled
 * from the layout and from physics, sharing no code with the planner), and Dijkstra over the eight neighbours.
 */
export class GridOracle {
  private readonly boxes: { minX: number; maxX: number; minY: number; maxY: number }[];
  /** Corners of a turned thing, anticlockwise. */
  private readonly turned: XY[][] = [];
  private readonly world: SimWorld;
  private readonly cellM: number;
  private readonly radiusM: number;

  constructor(world: SimWorld, cellM: number, radiusM: number) {
    this.world = world;
    this.cellM = cellM;
    this.radiusM = radiusM;
    this.boxes = [];
    for (const { pose, size } of world.scene.layout.obstacles) {
      const [x, y] = pose.position;
      const [halfX, halfY] = [size[0] / 2, size[1] / 2];
      if (pose.yaw_deg) this.turned.push(cornersOf({ x, y }, halfX, halfY, (pose.yaw_deg * Math.PI) / 180));
      else this.boxes.push({ minX: x - halfX, maxX: x + halfX, minY: y - halfY, maxY: y + halfY });
    }
    for (const { rigidBody } of world.things.all) {
      const at = rigidBody.translation();
      if (at.z > 0.5) continue;
      const r = rigidBody.rotation();
      const yaw = 2 * Math.atan2(r.z, r.w);
      const extent = 0.075 * (Math.abs(Math.cos(yaw)) + Math.abs(Math.sin(yaw)));
      this.boxes.push({ minX: at.x - extent, maxX: at.x + extent, minY: at.y - extent, maxY: at.y + extent });
    }
  }

  snap({ x, y }: XY): XY {
    return { x: Math.round(x / this.cellM) * this.cellM, y: Math.round(y / this.cellM) * this.cellM };
  }

  clearance({ x, y }: XY): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { minX, maxX, minY, maxY } of this.boxes) {
      const dx = x < minX ? minX - x : x > maxX ? x - maxX : 0;
      const dy = y < minY ? minY - y : y > maxY ? y - maxY : 0;
      least = Math.min(least, Math.sqrt(dx * dx + dy * dy));
    }
    for (const corners of this.turned) least = Math.min(least, distanceToPolygon({ x, y }, corners));
    return least;
  }

  isFree(point: XY): boolean {
    const { min, max } = this.world.scene.layout.bounds;
    if (point.x < min[0] || point.x > max[0] || point.y < min[1] || point.y > max[1]) return false;
    return this.clearance(point) > this.radiusM - 1e-5;
  }

  clearanceAlong([x1, y1]: readonly number[], [x2, y2]: readonly number[]): number {
    const from = { x: x1 ?? 0, y: y1 ?? 0 };
    const to = { x: x2 ?? 0, y: y2 ?? 0 };
    const samples = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 0.01));
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i <= samples; i++) {
      const share = i / samples;
      least = Math.min(least, this.clearance({ x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) }));
    }
    return least;
  }

  /** Lengths of the grid's shortest paths from a start to any snapped point; Infinity for an unreachable point. */
  lengthsFrom(start: XY): { get(point: XY): number } {
    const key = (i: number, j: number) => i * 4096 + j;
    const lengths = new Map<number, number>();
    const free = new Map<number, boolean>();
    const isCellFree = (i: number, j: number): boolean => {
      const known = free.get(key(i, j));
      if (known !== undefined) return known;
      const value = this.isFree({ x: i * this.cellM, y: j * this.cellM });
      free.set(key(i, j), value);
      return value;
    };
    // Buckets of a tenth of a cell replace a priority queue.
    const buckets: [number, number][][] = [];
    const push = (i: number, j: number, lengthM: number) => {
      const slot = Math.floor((lengthM / this.cellM) * 10);
      let bucket = buckets[slot];
      if (!bucket) {
        bucket = [];
        buckets[slot] = bucket;
      }
      bucket.push([i, j]);
      lengths.set(key(i, j), lengthM);
    };
    const startCell = [Math.round(start.x / this.cellM), Math.round(start.y / this.cellM)] as const;
    push(startCell[0], startCell[1], Math.hypot(startCell[0] * this.cellM - start.x, startCell[1] * this.cellM - start.y));
    for (let slot = 0; slot < buckets.length; slot++) {
      for (const [i, j] of buckets[slot] ?? []) {
        const lengthM = lengths.get(key(i, j)) ?? 0;
        for (let di = -1; di <= 1; di++) {
          for (let dj = -1; dj <= 1; dj++) {
            if ((di === 0 && dj === 0) || !isCellFree(i + di, j + dj)) continue;
            const next = lengthM + Math.hypot(di, dj) * this.cellM;
            if (next < (lengths.get(key(i + di, j + dj)) ?? Number.POSITIVE_INFINITY) - 1e-9) push(i + di, j + dj, next);
          }
        }
      }
    }
    return {
      get: ({ x, y }) => lengths.get(key(Math.round(x / this.cellM), Math.round(y / this.cellM))) ?? Number.POSITIVE_INFINITY,
    };
  }
}
