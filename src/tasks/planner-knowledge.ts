import * as portable from '../common/portable-math.ts';
import type { Place, TaskFile, ThingSelector } from '../protocol/files/task-file.ts';
import { degToRad } from '../protocol/wire/geometry.ts';
import { roundLength, roundUnit } from '../protocol/wire/json.ts';
import { isInPolygon, type Polygon } from '../simulation/polygon.ts';
import type { AgentReply, Part } from './agent-play.ts';
import type { Forbidden } from './planner-forbidden.ts';

/** The planner's knowledge of the scene, read over the wire. World frame, metres. */

export interface KnownThing {
  id: string;
  category: string;
  colour: string;
  x: number;
  y: number;
  z: number;
  heightM: number;
  /** Its greater extent along the floor as it stands. */
  widthM: number;
  /** Of a container: how thick its walls are. */
  wallM: number | null;
  yawRad: number;
  isHeld: boolean;
  padId: string | null;
  /** Small for what is easily taken. */
  order: number;
}

export interface KnownPad {
  id: string;
  role: string;
  colour: string | null;
  x: number;
  y: number;
  /** Half its extents. */
  halfX: number;
  halfY: number;
}

export interface KnownScene {
  pads: readonly KnownPad[];
  slotsOf(padId: string): { index: number; x: number; y: number }[];
  padOfColour(colour: string): string | null;
  padAt(x: number, y: number): string | null;
  isIn(place: Place, x: number, y: number): boolean;
  pointOf(place: Place): { x: number; y: number };
  /** Points of the floor to put something on: in a place, or all over the scene. */
  floorPoints(place: Place | null): { x: number; y: number }[];
  /** Points of the floor within reach of one who stands before a thing, off pads and clear of all else as of the last reading; the farthest from it first. */
  freeFloorNear(thing: KnownThing): { x: number; y: number }[];
  /** Points in a container beside the middle of each of its walls, where a thing would stand; those farthest from what stands in it first. */
  spotsByWalls(thing: KnownThing, container: KnownThing): { x: number; y: number }[];
  /** Returns whether the task allows holding this thing. */
  mayHold(thing: KnownThing): boolean;
  /** Whether the task lets things lie on the floor. */
  readonly mayLieOnFloor: boolean;
  /** A pose within reach of a point of the floor, facing it from where the robot was last seen. */
  standNear(x: number, y: number): { position: number[]; yaw_deg: number };
  /** Reads the things again; collected ones are left out. */
  things(): Part<KnownThing[]>;
  /** The collected things of the last reading, as far as the scene still lists them. */
  collected(): readonly KnownThing[];
}

const CUBE_HEIGHT_M = 0.15;
/** Left at least between a thing in a container and the wall that it is put by. */
const BY_WALL_M = 0.015;
/** Kept free round the middle of a thing that is put somewhere out of the way. */
const CLEAR_M = 0.2;
/** From a point of the floor to the robot that puts something there. */
const STANDS_OFF_M = 0.6;

/** Returns the things that a selector means. */
export const selected = ({ ids, except, category, colour }: ThingSelector, things: readonly KnownThing[]): KnownThing[] =>
  things.filter(
    (thing) =>
      (ids?.includes(thing.id) ?? true) &&
      !(except?.includes(thing.id) ?? false) &&
      (category === undefined || category === thing.category) &&
      (colour === undefined || colour === thing.colour),
  );

/**
 * Reads the layout.
 * @param regions of the task; those of the scene are in the same list afterwards
 * @param forbidden what the task forbids
 */
export function* readKnown(regions: NonNullable<TaskFile['regions']>, forbidden: Forbidden): Part<KnownScene> {
  const layout: AgentReply = yield { method: 'runtime.scene_layout', payload: {} };
  const pads: KnownPad[] = layout.pads.map((pad: AgentReply) => ({
    id: pad.pad_id,
    role: pad.role,
    colour: pad.color ?? null,
    x: pad.position[0],
    y: pad.position[1],
    halfX: pad.size[0] / 2,
    halfY: pad.size[1] / 2,
  }));
  const polygons = new Map<string, Polygon>();
  for (const { region_id: id, polygon } of layout.regions ?? []) polygons.set(id, polygon);
  for (const { id, polygon } of regions) polygons.set(id, polygon);
  let collected: KnownThing[] = [];
  let robot = { x: 0, y: 0 };
  /** The things of the last reading. */
  let read: KnownThing[] = [];

  const isIn = (place: Place, x: number, y: number): boolean => {
    if ('pad' in place)
      return pads.some(
        ({ id, ...pad }) => id === place.pad && Math.abs(x - pad.x) <= pad.halfX && Math.abs(y - pad.y) <= pad.halfY,
      );
    if ('region' in place) return isInPolygon(polygons.get(place.region) ?? [], x, y);
    if ('position' in place) return portable.hypot(x - place.position[0], y - place.position[1]) <= place.within_m;
    return selected(place.thing, read).some((thing) => portable.hypot(x - thing.x, y - thing.y) <= place.within_m);
  };
  const pointOf = (place: Place): { x: number; y: number } => {
    if ('position' in place) return { x: place.position[0], y: place.position[1] };
    if ('pad' in place) {
      const pad = pads.find(({ id }) => id === place.pad);
      return { x: pad?.x ?? 0, y: pad?.y ?? 0 };
    }
    if ('region' in place) return middleOf(polygons.get(place.region) ?? []);
    const [nearest] = selected(place.thing, read).sort((a, b) => a.order - b.order);
    return { x: nearest?.x ?? 0, y: nearest?.y ?? 0 };
  };
  return {
    pads,
    slotsOf: (padId) =>
      layout.slots
        .filter((slot: AgentReply) => slot.pad_id === padId)
        .map((slot: AgentReply) => ({ index: slot.index, x: slot.position[0], y: slot.position[1] })),
    padOfColour: (colour) => pads.find((pad) => pad.role === 'destination' && pad.colour === colour)?.id ?? null,
    padAt: (x, y) => pads.find((pad) => Math.abs(x - pad.x) <= pad.halfX && Math.abs(y - pad.y) <= pad.halfY)?.id ?? null,
    isIn,
    pointOf,
    mayHold: (thing) => !forbidden.held.some((selector) => selected(selector, [thing]).length > 0),
    mayLieOnFloor: !forbidden.onFloor,
    freeFloorNear({ id, x, y }) {
      const isFree = (point: { x: number; y: number }): boolean =>
        portable.hypot(point.x - robot.x, point.y - robot.y) > STANDS_OFF_M / 2 &&
        pads.every((pad) => Math.abs(point.x - pad.x) > pad.halfX + CLEAR_M || Math.abs(point.y - pad.y) > pad.halfY + CLEAR_M) &&
        read.every((other) => other.id === id || portable.hypot(point.x - other.x, point.y - other.y) > 2 * CLEAR_M);
      return ringsAround({ x, y }).filter(isFree).reverse();
    },
    spotsByWalls(thing, { id, x, y, yawRad, widthM, wallM }) {
      const innerM = widthM - 2 * (wallM ?? 0);
      // In the middle of its half, as far as it fits there: palms need room on both of its sides.
      const offM = Math.min(innerM / 4, innerM / 2 - thing.widthM / 2 - BY_WALL_M);
      const inIt = read.filter(
        (other) => other.id !== id && other.id !== thing.id && portable.hypot(other.x - x, other.y - y) < widthM / 2,
      );
      const apartM = (spot: { x: number; y: number }): number =>
        Math.min(...inIt.map((other) => portable.hypot(other.x - spot.x, other.y - spot.y)));
      return [0, 1, 2, 3]
        .map((quarter) => yawRad + (quarter * Math.PI) / 2)
        .map((rad) => ({ x: roundLength(x + offM * portable.cos(rad)), y: roundLength(y + offM * portable.sin(rad)) }))
        .map((spot) => ({ spot, farM: inIt.length === 0 ? 0 : apartM(spot) }))
        .sort((a, b) => b.farM - a.farM)
        .map(({ spot }) => spot);
    },
    floorPoints(place) {
      const middle = place === null ? { x: layout.spawn.position[0], y: layout.spawn.position[1] } : pointOf(place);
      const points = ringsAround(middle).filter(({ x, y }) => place === null || isIn(place, x, y));
      return points.slice(place === null ? 1 : 0, 12);
    },
    standNear(x, y) {
      const [dx, dy] = [robot.x - x, robot.y - y];
      const apartM = Math.max(0.01, portable.hypot(dx, dy));
      const [atX, atY] = [x + (dx / apartM) * STANDS_OFF_M, y + (dy / apartM) * STANDS_OFF_M];
      return {
        position: [roundLength(atX), roundLength(atY), 0],
        yaw_deg: roundUnit((portable.atan2(-dy, -dx) * 180) / Math.PI),
      };
    },
    *things() {
      const { entities }: AgentReply = yield { method: 'runtime.scene_state', payload: {} };
      const states: AgentReply[] = Object.values(entities);
      const [robotX = 0, robotY = 0] = states.find(({ kind }) => kind === 'robot')?.pose.position ?? [];
      robot = { x: robotX, y: robotY };
      const movable = states.filter(({ kind }) => kind !== 'robot' && kind !== 'pad');
      const toKnown = (entity: AgentReply): KnownThing => {
        const [x = 0, y = 0, z = 0] = entity.pose.position;
        return {
          id: entity.entity_id,
          category: entity.state.category ?? entity.kind,
          colour: entity.state.color ?? '',
          x,
          y,
          z,
          heightM: entity.state.shape?.size?.[2] ?? entity.state.shape?.height_m ?? CUBE_HEIGHT_M,
          widthM: widthOf(entity.state.shape),
          wallM: entity.state.shape?.wall_m ?? null,
          yawRad: degToRad(entity.pose.yaw_deg ?? 0),
          isHeld: entity.attached_to !== null,
          padId: entity.state.parent_pad_id ?? null,
          order: (entity.visible ? 0 : 100) + portable.hypot(x - robotX, y - robotY),
        };
      };
      collected = movable.filter(({ state }) => state.collected === true).map(toKnown);
      read = movable.filter(({ state }) => state.collected !== true).map(toKnown);
      return read;
    },
    collected: () => collected,
  };
}

const widthOf = (shape: AgentReply): number =>
  shape?.radius_m !== undefined
    ? 2 * shape.radius_m
    : Math.max(shape?.size?.[0] ?? CUBE_HEIGHT_M, shape?.size?.[1] ?? CUBE_HEIGHT_M);

/** A point, then points on rings round it, all in order. */
function ringsAround({ x, y }: { x: number; y: number }): { x: number; y: number }[] {
  const points = [{ x, y }];
  for (const radiusM of [0.3, 0.6, 0.9, 1.3]) {
    for (let turn = 0; turn < 8; turn += 1) {
      const rad = (turn * Math.PI) / 4;
      points.push({ x: roundLength(x + radiusM * portable.cos(rad)), y: roundLength(y + radiusM * portable.sin(rad)) });
    }
  }
  return points;
}

function middleOf(polygon: Polygon): { x: number; y: number } {
  const sum = polygon.reduce(([sumX, sumY], [x, y]) => [sumX + x, sumY + y] as const, [0, 0] as const);
  return { x: sum[0] / Math.max(1, polygon.length), y: sum[1] / Math.max(1, polygon.length) };
}
