import { CARRIED_OVER_M } from '../../protocol/files/scene-limits.ts';
import type { Placing } from '../../protocol/files/variation-file.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { ROBOT_IDS } from '../../protocol/wire/robot.ts';
import { robotModel } from '../../protocol/wire/robots.ts';
import { isInPolygon } from '../polygon.ts';
import type { SceneDefinition, ThingAtStart } from '../scene-definition.ts';
import {
  bottomOf,
  boxSolid,
  cornersOf,
  cylinderSolid,
  gapM,
  intersect,
  isOver,
  isWithinOutline,
  type Solid,
  topOf,
} from '../solids.ts';
import { outerSolid, solidsOf } from '../thing-solids.ts';

const NEAR_M = 1e-3;
/** Between things that were drawn. */
const AIR_M = 0.02;
/** Round the robot at the spawn. */
const SPAWN_AIR_M = 0.1;
const SPAWN_HEIGHT_M = 2;

export type Region = SceneDefinition['regions'][number];

/** The occupied places of a scene while its things are drawn by chance. */
export interface FloorPlan {
  readonly scene: SceneDefinition;
  /** Returns whether a thing can be where it is: in the room, on something with all of its outline, in nothing and beside the robot. */
  takes(thing: ThingAtStart): boolean;
  /** The same for a thing that was drawn into a place: it is wholly there. */
  takesIn(thing: ThingAtStart, entry: Placing): boolean;
  put(thing: ThingAtStart): void;
  /** Returns the thing of this id once it has been put. */
  thing(id: string): ThingAtStart | null;
  /** Returns whether something of this id has its place. */
  knows(id: string): boolean;
  /** The solid of a pad's surface, an obstacle or a thing that has been put; null for none. */
  solid(id: string): Solid | null;
  region(id: string): Region | null;
}

/** Returns the plan of a scene without its things, which are put on it one by one. */
export function createFloorPlan(scene: SceneDefinition): FloorPlan {
  const { layout } = scene;
  const standing = standingOf(scene);
  const pads = new Map(layout.pads.map(({ pad_id: id, position, size }) => [id, boxSolid(position, [size[0], size[1], 0])]));
  const regions = new Map(scene.regions.map((region) => [region.id, region]));
  const things = new Map<string, ThingAtStart>();
  const lying: Solid[] = [];
  const robot = robotAt(scene);
  const carrying = layout.pads.map(({ position, size }) => boxSolid(position, [size[0], size[1], 0]));

  function isFree(thing: ThingAtStart): boolean {
    const outer = outerSolid(thing);
    const solids = solidsOf(thing);
    const [minX, minY] = layout.bounds.min;
    const [maxX, maxY] = layout.bounds.max;
    if (cornersOf(outer).some(([x, y]) => x < minX || x > maxX || y < minY || y > maxY)) return false;
    if (gapM(robot, outer) < SPAWN_AIR_M) return false;
    if (standing.all.some((other) => solids.some((solid) => intersect(solid, other, NEAR_M)))) return false;
    if (lying.some((other) => solids.some((solid) => isTooNear(solid, other)))) return false;
    const [x, y] = thing.position;
    const onPad = carrying.some((pad) => isOver(pad, x, y) && topOf(outer) > topOf(pad));
    return !onPad || topOf(outer) <= CARRIED_OVER_M + NEAR_M;
  }

  /** Whether the thing stands on the floor, or wholly on one thing or obstacle. */
  function isSupported(thing: ThingAtStart): boolean {
    const outer = outerSolid(thing);
    const underM = bottomOf(outer);
    if (Math.abs(underM) < NEAR_M) return true;
    return [...standing.all, ...lying].some((other) => Math.abs(topOf(other) - underM) < NEAR_M && isWithinOutline(outer, other));
  }

  const plan: FloorPlan = {
    scene,
    takes: (thing) => isFree(thing) && isSupported(thing),
    takesIn(thing, { is, of }) {
      const region = is === 'in' ? regions.get(of) : undefined;
      if (region) return cornersOf(outerSolid(thing)).every(([x, y]) => isInPolygon(region.polygon, x, y)) && isFree(thing);
      const place = is === 'in' ? insideOf(things.get(of)) : (pads.get(of) ?? standing.byId.get(of));
      return place !== undefined && place !== null && isWithinOutline(outerSolid(thing), place) && isFree(thing);
    },
    put(thing) {
      if (thing.id !== undefined) things.set(thing.id, thing);
      lying.push(...solidsOf(thing));
    },
    thing: (id) => things.get(id) ?? null,
    knows: (id) => things.has(id) || pads.has(id) || standing.byId.has(id),
    solid(id) {
      const thing = things.get(id);
      return thing ? outerSolid(thing) : (pads.get(id) ?? standing.byId.get(id) ?? null);
    },
    region: (id) => regions.get(id) ?? null,
  };
  return plan;
}

/** Beside each other there is air; what stands on the other touches it. */
function isTooNear(one: Solid, other: Solid): boolean {
  const isBeside = Math.min(topOf(one), topOf(other)) - Math.max(bottomOf(one), bottomOf(other)) > NEAR_M;
  return isBeside && gapM(one, other) < AIR_M;
}

interface Standing {
  all: readonly Solid[];
  byId: ReadonlyMap<string, Solid>;
}
const standingByScene = new WeakMap<SceneDefinition, Standing>();

function standingOf(scene: SceneDefinition): Standing {
  const known = standingByScene.get(scene);
  if (known) return known;
  const byId = new Map(
    scene.layout.obstacles.map(({ obstacle_id: id, pose, size }) => [id, boxSolid(pose.position, size, pose.yaw_deg)] as const),
  );
  const made = { all: [...byId.values()], byId };
  standingByScene.set(scene, made);
  return made;
}

function robotAt({ spawn }: SceneDefinition): Solid {
  const radiusM = Math.max(...ROBOT_IDS.map((id) => robotModel(id).radiusM));
  return cylinderSolid([spawn.x, spawn.y, SPAWN_HEIGHT_M / 2], radiusM, SPAWN_HEIGHT_M);
}

/** The inside of a container as a solid, its floor below; null for anything else. */
export function insideOf(thing: ThingAtStart | undefined | null): Solid | null {
  if (thing?.shape.kind !== 'container') return null;
  const { size, wallM } = thing.shape;
  const inner: Vec3 = [size[0] - 2 * wallM, size[1] - 2 * wallM, size[2] - wallM];
  const [x, y, z] = thing.position;
  return outerSolid({ ...thing, shape: { kind: 'box', size: inner }, position: [x, y, z + wallM / 2] });
}
