import type { Place, Predicate, TaskFile, ThingSelector } from '../../src/protocol/files/task-file.ts';
import type { ThingShape } from '../../src/protocol/wire/thing-shape.ts';
import type { RuntimeCore } from '../../src/runtime/core.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { isStill } from './places.ts';
import { isOutOf, liesIn, liesOn, standsAt, type ThingTruth, thingAt } from './thing-truth.ts';
import { type MovableTruth, planar, readTruth, type Truth, wrap } from './truth.ts';

/**
 * The atoms of tasks, judged from the physics bodies and the wire's layout. Shares neither judgements nor formulas with the
 * product's judge: rest, support and held things come from speeds, surfaces and joints.
 */

/** The oracle's knowledge after a step. */
export interface Seen {
  truth: Truth;
  /** The hull of each thing, of any shape, by id. */
  hulls: ReadonlyMap<string, ThingTruth>;
  layout: SimWorld['scene']['layout'];
  sceneRegions: NonNullable<TaskFile['regions']>;
  /** By id; the kind of a thing is a declared fact, not a judgement. */
  categories: ReadonlyMap<string, string>;
  /** Things that were in the hands over a pad, and are gone: colour and pad by id. */
  delivered: ReadonlyMap<string, { colour: string; padId: string }>;
  /** Ids of things that have left the hands and fallen by more than a quarter of a metre in this step. */
  fell: readonly string[];
  /** The gap between the robot's disc and the nearest furniture, metres. */
  gapM: number;
}

export type Watcher = (world: SimWorld) => Seen;

/** Follows one world. */
export function createWatcher(): Watcher {
  const delivered = new Map<string, { colour: string; padId: string }>();
  const leftHandsAtZ = new Map<string, number>();
  let before: Truth | null = null;
  // A sleeping thing has the same reading, and keeps its hull.
  const known = new WeakMap<MovableTruth, ThingTruth>();
  const hullOf = (thing: MovableTruth, { shape }: { shape: ThingShape }): ThingTruth => {
    const [x, y, z, w] = thing.q;
    const state = { centre: [thing.x, thing.y, thing.z] as const, isStill: isStill(thing), joints: thing.joints };
    const hull = known.get(thing) ?? thingAt(thing.id, shape, { ...state, rotation: { x, y, z, w } });
    known.set(thing, hull);
    return hull;
  };
  return (world) => {
    const truth = readTruth({ world } as RuntimeCore, before);
    const { layout } = world.scene;
    const hulls = new Map<string, ThingTruth>();
    for (const thing of world.things.all) {
      const read = truth.things.get(thing.entityId);
      if (read) hulls.set(thing.entityId, hullOf(read, thing));
    }
    for (const gone of before?.things.values() ?? []) {
      if (truth.things.has(gone.id)) continue;
      const pad = layout.pads.find(
        ({ position: [x, y], size: [w, d] }) => Math.abs(gone.x - x) <= w / 2 && Math.abs(gone.y - y) <= d / 2,
      );
      if (pad) delivered.set(gone.id, { colour: gone.colour, padId: pad.pad_id });
    }
    const fell: string[] = [];
    for (const thing of truth.things.values()) {
      const was = before?.things.get(thing.id);
      if (was && was.joints > 0 && thing.joints === 0) leftHandsAtZ.set(thing.id, was.z);
      if (thing.joints > 0) leftHandsAtZ.delete(thing.id);
      const from = leftHandsAtZ.get(thing.id);
      if (from === undefined || from - thing.z <= 0.25) continue;
      fell.push(thing.id);
      leftHandsAtZ.delete(thing.id);
    }
    before = truth;
    const categories = new Map(world.things.all.map(({ entityId, category }) => [entityId, category]));
    const sceneRegions = world.scene.regions.map(({ id, polygon }) => ({
      id,
      polygon: polygon.map(([x, y]) => [x, y] as [number, number]),
    }));
    const gapM = gapToFurniture(world, truth);
    return { truth, hulls, layout, sceneRegions, categories, delivered: new Map(delivered), fell, gapM };
  };
}

/** The robot's base is a disc; furniture is upright boxes, turned or not. */
function gapToFurniture({ scene, robot }: SimWorld, { robot: at }: Truth): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { pose, size } of scene.layout.obstacles) {
    const [cx, cy, cz] = pose.position;
    if (cz - size[2] / 2 > robot.chassis.heightM) continue;
    const yaw = ((pose.yaw_deg ?? 0) * Math.PI) / 180;
    const [dx, dy] = [at.x - cx, at.y - cy];
    const along = Math.abs(dx * Math.cos(yaw) + dy * Math.sin(yaw)) - size[0] / 2;
    const across = Math.abs(dy * Math.cos(yaw) - dx * Math.sin(yaw)) - size[1] / 2;
    const outside = Math.hypot(Math.max(0, along), Math.max(0, across));
    least = Math.min(least, outside > 0 ? outside : Math.max(along, across));
  }
  return least - robot.model.radiusM;
}

interface Thing {
  id: string;
  colour: string;
  /** Null for a collected thing. */
  hull: ThingTruth | null;
  padId: string | null;
}

const isCube = (seen: Seen, id: string): boolean => (seen.categories.get(id) ?? 'cube') === 'cube';

function thingsOf(seen: Seen, { ids, except, category, colour }: ThingSelector): Thing[] {
  const present = [...seen.truth.things.values()].map(({ id, colour: of }): Thing => {
    const hull = seen.hulls.get(id) ?? null;
    return { id, colour: of, hull, padId: hull && restingPad(seen, hull) };
  });
  const gone = [...seen.delivered].map(([id, { colour: of, padId }]): Thing => ({ id, colour: of, hull: null, padId }));
  return [...present, ...gone].filter(
    (one) =>
      (!ids || ids.includes(one.id)) &&
      !except?.includes(one.id) &&
      (category === undefined || category === (seen.categories.get(one.id) ?? 'cube')) &&
      (colour === undefined || one.colour === colour),
  );
}

/** A thing that leans on others is higher than flat and lower than on top of them. */
const LEANS_M = 0.05;

/** The pad on whose surface, or on or in whose things, this one lies still; null on the floor, in motion and in the hands. */
function restingPad(seen: Seen, thing: ThingTruth): string | null {
  if (!thing.isStill || thing.joints > 0) return null;
  const [x, y] = thing.centre;
  const pad = seen.layout.pads.find(
    ({ position: [px, py, pz], size: [w, d] }) =>
      Math.abs(x - px) <= w / 2 && Math.abs(y - py) <= d / 2 && thing.bottomZ > pz - 0.012,
  );
  if (!pad) return null;
  const surfaceZ = pad.position[2];
  const isLevel = thing.ups.some((up) => Math.abs(up) > 0.995);
  const isCarried =
    standsAt(thing, surfaceZ) ||
    (!isLevel && thing.bottomZ - surfaceZ < LEANS_M) ||
    [...seen.hulls.values()].some((other) => other.id !== thing.id && (liesOn(thing, other) || liesIn(thing, other)));
  return isCarried ? pad.pad_id : null;
}

/** Counts; null if undecidable things make the difference. */
function enough(things: readonly Thing[], atLeast: number | undefined, holds: (thing: Thing) => boolean | null): boolean | null {
  const said = things.map(holds);
  const needed = atLeast ?? Math.max(1, things.length);
  const least = said.filter((one) => one === true).length;
  if (least >= needed) return true;
  return least + said.filter((one) => one === null).length >= needed ? null : false;
}

const rests = ({ hull }: Thing): boolean => hull === null || (hull.isStill && hull.joints === 0);
const at = ({ centre: [x, y] }: ThingTruth): { x: number; y: number } => ({ x, y });

/** Returns whether an atom is true or, for an event, happens in this step; null if physics alone does not decide it. */
export function atomHolds(atom: Predicate, seen: Seen, regions: TaskFile['regions']): boolean | null {
  const { truth, layout } = seen;
  switch (atom.kind) {
    case 'present':
      return enough(thingsOf(seen, atom.things), atom.at_least ?? 1, ({ hull }) => hull !== null);
    case 'held':
      return enough(thingsOf(seen, atom.things), 1, ({ id }) => truth.held.includes(id));
    case 'on':
      return enough(thingsOf(seen, atom.things), atom.at_least, (one) => {
        if (!rests(one)) return false;
        if (atom.pad !== undefined) return one.padId === atom.pad;
        const { hull } = one;
        if (hull === null) return false;
        if (atom.floor) return one.padId === null && standsAt(hull, 0);
        return hullsOf(thingsOf(seen, atom.thing ?? {})).some((other) => other.id !== one.id && liesOn(hull, other));
      });
    case 'in': {
      const { place } = atom;
      const containers = place === undefined ? hullsOf(thingsOf(seen, atom.container ?? {})) : [];
      return enough(thingsOf(seen, atom.things), atom.at_least, (one) => {
        const { id, hull } = one;
        if (hull === null || !rests(one)) return false;
        if (place !== undefined) return within(place, at(hull), seen, regions);
        const others = containers.filter((other) => other.id !== id);
        if (others.some((other) => liesIn(hull, other))) return true;
        // On the rim, on others in it, or in one that leans: the hull alone does not decide this.
        return others.every((other) => isOutOf(hull, other)) ? false : null;
      });
    }
    case 'near': {
      const others = atom.position
        ? [{ id: '', x: atom.position[0], y: atom.position[1] }]
        : hullsOf(thingsOf(seen, atom.thing ?? {})).map((other) => ({ id: other.id, ...at(other) }));
      return enough(thingsOf(seen, atom.things), atom.at_least, (one) => {
        const { id, hull } = one;
        if (hull === null || !rests(one)) return false;
        return others.some((other) => other.id !== id && planar(at(hull), other) <= atom.within_m);
      });
    }
    case 'upright': {
      const most = ((atom.within_deg ?? 5) * Math.PI) / 180;
      return enough(thingsOf(seen, atom.things), atom.at_least, (one) => {
        if (one.hull === null || !rests(one)) return false;
        // A cube has no side that is its top.
        const up = isCube(seen, one.id) ? Math.max(...one.hull.ups.map(Math.abs)) : one.hull.up;
        return Math.acos(Math.min(1, up)) <= most;
      });
    }
    case 'stacked': {
      const hulls = hullsOf(thingsOf(seen, atom.things));
      const over = (base: ThingTruth): number =>
        1 + Math.max(0, ...hulls.filter((one) => one.id !== base.id && liesOn(one, base)).map(over));
      return hulls.some((hull) => hull.isStill && hull.joints === 0 && over(hull) >= atom.height);
    }
    case 'sorted':
    case 'missorted': {
      const wanted = atom.kind === 'sorted';
      return enough(thingsOf(seen, atom.things), atom.at_least ?? (wanted ? undefined : 1), (one) => {
        const pad = layout.pads.find(({ pad_id: padId }) => padId === one.padId);
        if (!rests(one) || pad?.role !== 'destination' || pad.color === undefined) return false;
        return (pad.color === one.colour) === wanted;
      });
    }
    case 'at': {
      const { robot } = truth;
      if (robot.linearMps > 0.02 || robot.yawRateRps > 0.05 || !within(atom.place, robot, seen, regions)) return false;
      const most = ((atom.within_deg ?? 15) * Math.PI) / 180;
      return atom.yaw_deg === undefined || Math.abs(wrap(robot.yawRad - (atom.yaw_deg * Math.PI) / 180)) <= most;
    }
    case 'visited':
      return within(atom.place, truth.robot, seen, regions);
    case 'dropped':
      // From the bodies alone, slipping by a little looks like being put down.
      return thingsOf(seen, atom.things).some(({ id }) => seen.fell.includes(id)) ? true : null;
    case 'collided': {
      const pushes = truth.robot.touching.some((id) => !truth.held.includes(id));
      const furniture = seen.gapM < -0.015 ? true : seen.gapM > 0.005 ? false : null;
      if (atom.with === 'furniture') return furniture;
      if (atom.with === 'things') return pushes ? null : false;
      return furniture === false && !pushes ? false : furniture === true ? true : null;
    }
    default:
      throw new Error(`${atom.kind} is no atom`);
  }
}

const hullsOf = (things: readonly Thing[]): ThingTruth[] => things.flatMap(({ hull }) => (hull === null ? [] : [hull]));

function within(place: Place, { x, y }: { x: number; y: number }, seen: Seen, regions: TaskFile['regions'] = []): boolean {
  if ('pad' in place) {
    const pad = seen.layout.pads.find(({ pad_id: padId }) => padId === place.pad);
    return (
      pad !== undefined && Math.abs(x - pad.position[0]) <= pad.size[0] / 2 && Math.abs(y - pad.position[1]) <= pad.size[1] / 2
    );
  }
  if ('position' in place) return Math.hypot(x - place.position[0], y - place.position[1]) <= place.within_m;
  if ('thing' in place) return hullsOf(thingsOf(seen, place.thing)).some((hull) => planar(at(hull), { x, y }) <= place.within_m);
  // Winding angle: a full turn from within, nothing from outside.
  const polygon = [...regions, ...seen.sceneRegions].find(({ id }) => id === place.region)?.polygon ?? [];
  let turned = 0;
  polygon.forEach(([ax, ay], at) => {
    const [bx, by] = polygon[(at + 1) % polygon.length] ?? [ax, ay];
    turned += wrap(Math.atan2(by - y, bx - x) - Math.atan2(ay - y, ax - x));
  });
  return Math.abs(turned) > Math.PI;
}
