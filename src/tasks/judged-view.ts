import * as portable from '../common/portable-math.ts';
import type { Place, TaskFile } from '../protocol/files/task-file.ts';
import * as base from '../simulation/base.ts';
import { closestContact } from '../simulation/contact.ts';
import { isInPolygon, type Polygon } from '../simulation/polygon.ts';
import { isOverPad, padOf } from '../simulation/scene.ts';
import type { SceneDefinition } from '../simulation/scene-definition.ts';
import type { SimWorld } from '../simulation/sim-world.ts';
import type { Looks } from '../simulation/variation/lay-out.ts';
import { isMeant, type JudgedThing, thingsOf, thingsOfStart } from './judged-things.ts';

/** The world after a step as predicates see it: where everything is, and what happened in that step. */
export interface JudgedView {
  readonly world: Pick<SimWorld, 'scene'>;
  /** Steps made since the start of the run. */
  readonly step: number;
  /** All movable things, those that were collected too. */
  readonly things: readonly JudgedThing[];
  /** Ids of things that slipped from the hands or fell in this step. */
  readonly dropped: readonly string[];
  /** The things that the base presses against. */
  readonly pressed: { furniture: boolean; things: boolean };
  readonly robot: { x: number; y: number; yawRad: number; isStill: boolean };
}

export type Regions = ReadonlyMap<string, Polygon>;

/** Returns the regions that predicates of a task may name; those of the task go before those of its scene. */
export const regionsOf = ({ regions = [] }: Pick<TaskFile, 'regions'>, scene: SceneDefinition): Regions =>
  new Map([...scene.regions, ...regions].map(({ id, polygon }) => [id, polygon]));

const FALL_M = 0.25;
const PRESSING_M = 0.001;

/** Follows a world step by step and remembers facts that a single moment does not show: collected things, and falling ones. */
export interface Observer {
  /** Looks at the world after a step, or before the first. */
  look(world: SimWorld, step: number): JudgedView;
}

/** Creates the observer that reads the world after each step, and remembers facts that one moment does not show. */
export function createObserver(): Observer {
  const collected = new Map<string, JudgedThing>();
  /** The greatest height of a thing since it last rested or was held, by id. */
  const highest = new Map<string, number>();
  /** Ids of things whose fall was reported, until they rest or are held again. */
  const fallen = new Set<string>();

  function noteCollected({ collection: { listed } }: SimWorld, before: readonly JudgedThing[]): void {
    for (const { entityId, colour, padId, position, orientation } of listed) {
      if (collected.has(entityId)) continue;
      const known = before.find(({ id }) => id === entityId);
      collected.set(entityId, {
        id: entityId,
        category: known?.category ?? 'cube',
        colour,
        size: known?.size ?? [0, 0, 0],
        wallM: null,
        position,
        orientation,
        isHeld: false,
        isAtRest: true,
        padId,
        isCollected: true,
      });
    }
  }

  function noteFalls(things: readonly JudgedThing[]): string[] {
    const falls: string[] = [];
    for (const { id, position, isAtRest, isHeld } of things) {
      if (isAtRest || isHeld) {
        highest.set(id, position[2]);
        fallen.delete(id);
        continue;
      }
      const topM = Math.max(highest.get(id) ?? position[2], position[2]);
      highest.set(id, topM);
      if (topM - position[2] <= FALL_M || fallen.has(id)) continue;
      fallen.add(id);
      falls.push(id);
    }
    return falls;
  }

  let last: readonly JudgedThing[] = [];
  return {
    look(world, step) {
      const present = thingsOf(world);
      noteCollected(world, last);
      last = present;
      const slipped = world.events.flatMap((event) => (event.type === 'dropped' ? [event.entityId] : []));
      const pose = base.pose(world);
      return {
        world,
        step,
        things: [...present, ...collected.values()],
        dropped: [...slipped, ...noteFalls(present)],
        pressed: pressedBy(world),
        robot: { x: pose.x, y: pose.y, yawRad: pose.yawRad, isStill: base.isStopped(world) },
      };
    },
  };
}

/** Returns the view of a world of this seed before its first step, without the world. @param looks and errors as for `thingsOfStart` */
export const viewOfStart = (scene: SceneDefinition, seed: number, looks: Looks): JudgedView => ({
  world: { scene },
  step: 0,
  things: thingsOfStart(scene, seed, looks),
  dropped: [],
  pressed: { furniture: false, things: false },
  robot: { x: scene.spawn.x, y: scene.spawn.y, yawRad: scene.spawn.yawRad, isStill: true },
});

/** Returns what the base presses against: furniture and walls, or things outside the hands. */
function pressedBy({ physics, base: { collider }, colliderIds, things }: SimWorld): JudgedView['pressed'] {
  const pressed = { furniture: false, things: false };
  physics.contactPairsWith(collider, (other) => {
    const id = colliderIds.get(other.handle);
    if (id === undefined) return;
    const thing = things.byId.get(id);
    if (thing?.carrier === 'hands' || (thing ? pressed.things : pressed.furniture)) return;
    if ((closestContact(physics, collider, other)?.gapM ?? Number.POSITIVE_INFINITY) > PRESSING_M) return;
    if (thing) pressed.things = true;
    else pressed.furniture = true;
  });
  return pressed;
}

/** Returns whether a point of the floor plane is in a place. */
export function isInPlace(view: JudgedView, place: Place, regions: Regions, x: number, y: number): boolean {
  if ('region' in place) return isInPolygon(regions.get(place.region) ?? [], x, y);
  if ('pad' in place) {
    const pad = padOf(view.world, place.pad);
    return pad !== null && isOverPad(pad, x, y);
  }
  const isNear = (position: readonly number[]): boolean =>
    portable.hypot(x - (position[0] ?? 0), y - (position[1] ?? 0)) <= place.within_m;
  if ('position' in place) return isNear(place.position);
  return view.things.some((thing) => !thing.isCollected && isMeant(place.thing, thing) && isNear(thing.position));
}
