import * as portable from '../../common/portable-math.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import type { Obstacle, SceneLayout } from '../../protocol/wire/scene.ts';
import { floorExtents } from '../extents.ts';
import { carriedThings } from '../load.ts';
import type { SimWorld } from '../sim-world.ts';
import { type Turn, turnedBack, turnOf } from '../turned-box.ts';

/** A point of the floor plane, world frame, metres. */
export interface Point {
  x: number;
  y: number;
}

/** Between two points, metres. */
export function distance(a: Point, b: Point): number {
  const [wayX, wayY] = [b.x - a.x, b.y - a.y];
  return Math.sqrt(wayX * wayX + wayY * wayY);
}

/** Edges of a rectangle along the axes, metres. */
export interface Edges {
  minX: number;
  maxX: number;
  minY: number;
  maxY: number;
}

/** An obstruction on the floor, world frame, metres: its edges, or those of the upright rectangle around it when it is turned. */
export interface Footprint extends Edges {
  /** The obstacle or thing it belongs to. */
  id: string;
  /** Its turn, and its edges when it is turned back; null for one along the axes. */
  turned: { turn: Turn; edges: Edges } | null;
}

/** The planner's picture of the world: rectangles that the robot's disc must stay clear of. */
export interface FloorMap {
  /** Of the layout's obstacles, without those that hang over the robot, then of the things. */
  footprints: readonly Footprint[];
  /** Their edges again (of the surrounding rectangle when turned), for loops over all of them: minX, maxX, minY, maxY of each. */
  edges: Float64Array;
  /** The number of them that are the layout's. */
  fixedCount: number;
  /** The layout of the map: the planner stores its findings about the obstacles under it. */
  layout: SceneLayout;
  bounds: { minX: number; maxX: number; minY: number; maxY: number };
  /** Of the robot's disc, metres. */
  radiusM: number;
}

/** Distances that differ by less than this are the same: a place at exactly the radius is free. */
export const EPSILON_M = 1e-6;

const lastMaps = new WeakMap<SimWorld, FloorMap>();

/**
 * Returns the map of the layout's obstacles and the things that lie where the robot walks, without what it carries. While
 * nothing moves it is the same object, and so are the findings about it.
 */
export function floorMap(world: SimWorld, radiusM: number = world.robot.model.radiusM): FloorMap {
  const { layout } = world.scene;
  const fixed = standingFootprints(layout, world.robot.model.heightM);
  const footprints = [...fixed];
  const carried = carriedThings(world.things);
  for (const thing of world.things.all) {
    const { entityId, position, rotation } = thing;
    if (carried.has(thing) || position.z > world.robot.model.heightM) continue;
    const [extentX, extentY] = floorExtents(thing, rotation);
    const footprint: Footprint = {
      id: entityId,
      minX: position.x - extentX,
      maxX: position.x + extentX,
      minY: position.y - extentY,
      maxY: position.y + extentY,
      turned: null,
    };
    // A thing that stands out over the edge of its pallet is in the way of a robot that walks along it.
    if (!fixed.some((obstacle) => contains(obstacle, footprint))) footprints.push(footprint);
  }
  const { min, max } = layout.bounds;
  const last = lastMaps.get(world);
  if (last && last.radiusM === radiusM && last.layout === layout && areSame(last.footprints, footprints)) return last;
  const bounds = { minX: min[0], maxX: max[0], minY: min[1], maxY: max[1] };
  const edges = Float64Array.from(footprints.flatMap(({ minX, maxX, minY, maxY }) => [minX, maxX, minY, maxY]));
  const map = { footprints, edges, fixedCount: fixed.length, layout, bounds, radiusM };
  lastMaps.set(world, map);
  return map;
}

const areSame = (some: readonly Footprint[], others: readonly Footprint[]): boolean =>
  some.length === others.length &&
  some.every((one, i) => {
    const other = others[i];
    return (
      one === other ||
      (other !== undefined &&
        one.id === other.id &&
        one.minX === other.minX &&
        one.maxX === other.maxX &&
        one.minY === other.minY &&
        one.maxY === other.maxY)
    );
  });

const fixedByLayout = new WeakMap<SceneLayout, readonly Footprint[]>();

/** Returns the footprints of a layout's obstacles, in their order. */
export function fixedFootprints(layout: SceneLayout): readonly Footprint[] {
  const known = fixedByLayout.get(layout);
  if (known) return known;
  const fixed = layout.obstacles.map(footprintOf);
  fixedByLayout.set(layout, fixed);
  return fixed;
}

/** Between a head and what hangs over it there must be this much air, metres. */
const OVERHEAD_AIR_M = 0.05;

/** Returns whether a box hangs so high that what is this tall passes under it. */
export const hangsOver = ({ pose, size }: Obstacle, heightM: number): boolean =>
  pose.position[2] - size[2] / 2 >= heightM + OVERHEAD_AIR_M;

const standingByLayout = new WeakMap<SceneLayout, Map<number, readonly Footprint[]>>();

/** Returns the footprints of the obstacles under which a robot of this height does not pass. */
function standingFootprints(layout: SceneLayout, heightM: number): readonly Footprint[] {
  const ofLayout = standingByLayout.get(layout) ?? new Map<number, readonly Footprint[]>();
  standingByLayout.set(layout, ofLayout);
  const known = ofLayout.get(heightM);
  if (known) return known;
  const standing = fixedFootprints(layout).filter((_, index) => {
    const obstacle = layout.obstacles[index];
    return obstacle !== undefined && !hangsOver(obstacle, heightM);
  });
  ofLayout.set(heightM, standing);
  return standing;
}

function footprintOf(obstacle: Obstacle): Footprint {
  const { obstacle_id: id, pose, size } = obstacle;
  const edges = edgesRound(pose.position, size[0] / 2, size[1] / 2);
  const turn = turnOf(obstacle);
  if (turn === null) return { id, ...edges, turned: null };
  const [cos, sin] = [Math.abs(turn.cos), Math.abs(turn.sin)];
  const [extentX, extentY] = [(cos * size[0] + sin * size[1]) / 2, (sin * size[0] + cos * size[1]) / 2];
  return { id, ...edgesRound(pose.position, extentX, extentY), turned: { turn, edges } };
}

const edgesRound = ([x, y]: Vec3, extentX: number, extentY: number): Edges => ({
  minX: x - extentX,
  maxX: x + extentX,
  minY: y - extentY,
  maxY: y + extentY,
});

/** Returns whether an upright rectangle lies within a footprint. */
function contains(outer: Footprint, inner: Edges): boolean {
  const { turned } = outer;
  if (turned === null) return isWithin(inner.minX, inner.minY, outer) && isWithin(inner.maxX, inner.maxY, outer);
  return [inner.minX, inner.maxX].every((cornerX) =>
    [inner.minY, inner.maxY].every((cornerY) => {
      const { x, y } = turnedBack(turned.turn, { x: cornerX, y: cornerY });
      return isWithin(x, y, turned.edges);
    }),
  );
}

const isWithin = (x: number, y: number, { minX, maxX, minY, maxY }: Edges): boolean =>
  x >= minX && x <= maxX && y >= minY && y <= maxY;

/** Returns the distance from a point to an obstruction; 0 inside it. */
export function pointDistance(point: Point, footprint: Footprint): number {
  const { turned } = footprint;
  return turned === null ? pointToEdges(point, footprint) : pointToEdges(turnedBack(turned.turn, point), turned.edges);
}

function pointToEdges({ x, y }: Point, { minX, maxX, minY, maxY }: Edges): number {
  return portable.hypot(Math.max(minX - x, 0, x - maxX), Math.max(minY - y, 0, y - maxY));
}

/** Returns the distance from a segment to an obstruction; 0 when they meet. */
export function segmentDistance(from: Point, to: Point, footprint: Footprint): number {
  const { turned } = footprint;
  if (turned === null) return segmentToEdges(from, to, footprint);
  return segmentToEdges(turnedBack(turned.turn, from), turnedBack(turned.turn, to), turned.edges);
}

/**
 * From a segment to a rectangle; 0 when they meet. The distance to the convex rectangle is attained at an end of the
 * segment, or at a corner of the rectangle beside it.
 */
function segmentToEdges(from: Point, to: Point, box: Edges): number {
  if (segmentMeets(from, to, box)) return 0;
  let least = Math.min(pointToEdges(from, box), pointToEdges(to, box));
  const [wayX, wayY] = [to.x - from.x, to.y - from.y];
  const lengthSquared = wayX * wayX + wayY * wayY;
  if (lengthSquared === 0) return least;
  for (let corner = 0; corner < 4; corner++) {
    const x = corner & 1 ? box.maxX : box.minX;
    const y = corner & 2 ? box.maxY : box.minY;
    const share = ((x - from.x) * wayX + (y - from.y) * wayY) / lengthSquared;
    if (share <= 0 || share >= 1) continue;
    least = Math.min(least, portable.hypot(from.x + share * wayX - x, from.y + share * wayY - y));
  }
  return least;
}

/** Returns whether any part of the segment lies in the rectangle. Separating axes: x, y, and across the segment. */
function segmentMeets(from: Point, to: Point, { minX, maxX, minY, maxY }: Edges): boolean {
  if (Math.max(from.x, to.x) < minX || Math.min(from.x, to.x) > maxX) return false;
  if (Math.max(from.y, to.y) < minY || Math.min(from.y, to.y) > maxY) return false;
  const [acrossX, acrossY] = [from.y - to.y, to.x - from.x];
  const offset = acrossX * ((minX + maxX) / 2 - from.x) + acrossY * ((minY + maxY) / 2 - from.y);
  return Math.abs(offset) <= (Math.abs(acrossX) * (maxX - minX) + Math.abs(acrossY) * (maxY - minY)) / 2;
}

/** Returns whether a point of the world frame, metres, lies within the bounds of the map. */
export const isInside = ({ bounds }: FloorMap, { x, y }: Point): boolean =>
  x >= bounds.minX && x <= bounds.maxX && y >= bounds.minY && y <= bounds.maxY;

/** The thing nearest to a point, whatever the distance. */
export function nearestFootprint(map: FloorMap, point: Point): string | null {
  let nearest: { id: string; distance: number } | null = null;
  for (const footprint of map.footprints) {
    const distance = pointDistance(point, footprint);
    if (!nearest || distance < nearest.distance) nearest = { id: footprint.id, distance };
  }
  return nearest?.id ?? null;
}

/** The thing nearest to a point of those that the robot's disc would overlap there, or null when it can stand there. */
export function blockerAt(map: FloorMap, point: Point): string | null {
  let blocker: string | null = null;
  let least = map.radiusM - EPSILON_M;
  for (const footprint of map.footprints) {
    const distance = pointDistance(point, footprint);
    if (distance >= least) continue;
    least = distance;
    blocker = footprint.id;
  }
  return blocker;
}

/** Returns whether the robot's disc can stand here. */
export const isStandable = (map: FloorMap, point: Point): boolean =>
  isInside(map, point) && isClearOf(map, point, 0, map.footprints.length);

/** Returns whether the robot's disc is clear of some of the map's footprints here. */
export function isClearOf({ edges, footprints, radiusM }: FloorMap, { x, y }: Point, first: number, end: number): boolean {
  const leastM = radiusM - EPSILON_M;
  for (let at = 4 * first; at < 4 * end; at += 4) {
    const [aboveMinX, aboveMaxX] = [x - (edges[at] ?? 0), x - (edges[at + 1] ?? 0)];
    if (aboveMinX <= -leastM || aboveMaxX >= leastM) continue;
    const [aboveMinY, aboveMaxY] = [y - (edges[at + 2] ?? 0), y - (edges[at + 3] ?? 0)];
    if (aboveMinY <= -leastM || aboveMaxY >= leastM) continue;
    const apartX = Math.max(-aboveMinX, 0, aboveMaxX);
    const apartY = Math.max(-aboveMinY, 0, aboveMaxY);
    if (portable.hypot(apartX, apartY) >= leastM) continue;
    // A point near the rectangle around a turned thing need not be near the thing.
    const footprint = footprints[at / 4];
    if (!footprint?.turned || pointDistance({ x, y }, footprint) < leastM) return false;
  }
  return true;
}
