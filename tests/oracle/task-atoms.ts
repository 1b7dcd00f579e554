import type { Place, Predicate, TaskFile, ThingSelector } from '../../src/protocol/task-file.ts';
import type { RuntimeCore } from '../../src/runtime/core.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { EDGE_M, isStill, restingPad } from './places.ts';
import { type CubeTruth, leanRad, planar, readTruth, type Truth, wrap } from './truth.ts';

/**
 * The atoms of tasks, judged from the physics bodies and the wire's layout. Nothing of the product's judge is asked, and no formula shared:
 * rest, support and what hands hold come from speeds, surfaces and joints.
 */

/** What the oracle knows after a step. */
export interface Seen {
  truth: Truth;
  layout: SimWorld['scene']['layout'];
  /** By id; what a thing is stands on it, and is no judgement. */
  categories: ReadonlyMap<string, string>;
  /** Cubes that were in the hands over a pad, and are gone: colour and pad by id. */
  delivered: ReadonlyMap<string, { colour: string; padId: string }>;
  /** Ids of cubes that have left the hands and fallen by more than a quarter of a metre in this step. */
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
  return (world) => {
    const truth = readTruth({ world } as RuntimeCore, before);
    const { layout } = world.scene;
    for (const cube of before?.cubes.values() ?? []) {
      if (truth.cubes.has(cube.id)) continue;
      const pad = layout.pads.find(
        ({ position: [x, y], size: [w, d] }) => Math.abs(cube.x - x) <= w / 2 && Math.abs(cube.y - y) <= d / 2,
      );
      if (pad) delivered.set(cube.id, { colour: cube.colour, padId: pad.pad_id });
    }
    const fell: string[] = [];
    for (const cube of truth.cubes.values()) {
      const was = before?.cubes.get(cube.id);
      if (was && was.joints > 0 && cube.joints === 0) leftHandsAtZ.set(cube.id, was.z);
      if (cube.joints > 0) leftHandsAtZ.delete(cube.id);
      const from = leftHandsAtZ.get(cube.id);
      if (from === undefined || from - cube.z <= 0.25) continue;
      fell.push(cube.id);
      leftHandsAtZ.delete(cube.id);
    }
    before = truth;
    const categories = new Map(world.cubes.all.map(({ entityId, category }) => [entityId, category]));
    return { truth, layout, categories, delivered: new Map(delivered), fell, gapM: gapToFurniture(world, truth) };
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
  cube: CubeTruth | null;
  padId: string | null;
}

function thingsOf(seen: Seen, { ids, except, category, colour }: ThingSelector): Thing[] {
  const present = [...seen.truth.cubes.values()].map(
    (cube): Thing => ({
      id: cube.id,
      colour: cube.colour,
      cube,
      padId: restingPad(seen.layout, seen.truth, cube)?.pad_id ?? null,
    }),
  );
  const gone = [...seen.delivered].map(([id, { colour: of, padId }]): Thing => ({ id, colour: of, cube: null, padId }));
  return [...present, ...gone].filter(
    (one) =>
      (!ids || ids.includes(one.id)) &&
      !except?.includes(one.id) &&
      (category === undefined || category === (seen.categories.get(one.id) ?? 'cube')) &&
      (colour === undefined || one.colour === colour),
  );
}

const enough = (things: readonly Thing[], atLeast: number | undefined, holds: (thing: Thing) => boolean): boolean => {
  const count = things.filter(holds).length;
  return atLeast === undefined ? things.length > 0 && count === things.length : count >= atLeast;
};

const rests = ({ cube }: Thing): boolean => cube === null || isStill(cube);

/** Says whether an atom holds, or, of an event, happens in this step; null where physics alone does not tell. */
export function atomHolds(atom: Predicate, seen: Seen, regions: TaskFile['regions']): boolean | null {
  const { truth, layout } = seen;
  switch (atom.kind) {
    case 'present':
      return enough(thingsOf(seen, atom.things), atom.at_least ?? 1, ({ cube }) => cube !== null);
    case 'held':
      return enough(thingsOf(seen, atom.things), 1, ({ id }) => truth.held.includes(id));
    case 'on':
      return enough(thingsOf(seen, atom.things), atom.at_least, (one) => {
        if (!rests(one)) return false;
        if (atom.pad !== undefined) return one.padId === atom.pad;
        if (one.cube === null) return false;
        if (atom.floor) return one.padId === null && Math.abs(one.cube.z - EDGE_M / 2) < 0.02;
        return thingsOf(seen, atom.thing ?? {}).some((other) => other.cube !== null && liesUpon(one.cube, other.cube));
      });
    case 'in': {
      const { place } = atom;
      if (place === undefined) return null;
      return enough(
        thingsOf(seen, atom.things),
        atom.at_least,
        (one) => one.cube !== null && rests(one) && within(place, one.cube, seen, regions),
      );
    }
    case 'near': {
      const others = atom.position
        ? [{ id: '', x: atom.position[0], y: atom.position[1] }]
        : cubesOf(thingsOf(seen, atom.thing ?? {}));
      return enough(thingsOf(seen, atom.things), atom.at_least, ({ id, cube }) => {
        return cube !== null && isStill(cube) && others.some((other) => other.id !== id && planar(cube, other) <= atom.within_m);
      });
    }
    case 'upright': {
      const most = ((atom.within_deg ?? 5) * Math.PI) / 180;
      return enough(
        thingsOf(seen, atom.things),
        atom.at_least,
        ({ cube }) => cube !== null && isStill(cube) && leanRad(cube) <= most,
      );
    }
    case 'stacked': {
      const cubes = cubesOf(thingsOf(seen, atom.things));
      const over = (base: CubeTruth): number => 1 + Math.max(0, ...cubes.filter((one) => liesUpon(one, base)).map(over));
      return cubes.some((cube) => isStill(cube) && over(cube) >= atom.height);
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
      // Slipping by a little is not told apart from being put down by the bodies alone.
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

const cubesOf = (things: readonly Thing[]): CubeTruth[] => things.flatMap(({ cube }) => (cube === null ? [] : [cube]));

function liesUpon(upper: CubeTruth | null, lower: CubeTruth | null): boolean {
  if (upper === null || lower === null || upper.id === lower.id || !isStill(upper) || !isStill(lower)) return false;
  return Math.abs(upper.z - lower.z - EDGE_M) < 0.02 && planar(upper, lower) < EDGE_M / 2;
}

function within(place: Place, { x, y }: { x: number; y: number }, seen: Seen, regions: TaskFile['regions'] = []): boolean {
  if ('pad' in place) {
    const pad = seen.layout.pads.find(({ pad_id: padId }) => padId === place.pad);
    return (
      pad !== undefined && Math.abs(x - pad.position[0]) <= pad.size[0] / 2 && Math.abs(y - pad.position[1]) <= pad.size[1] / 2
    );
  }
  if ('position' in place) return Math.hypot(x - place.position[0], y - place.position[1]) <= place.within_m;
  if ('thing' in place) return cubesOf(thingsOf(seen, place.thing)).some((cube) => planar(cube, { x, y }) <= place.within_m);
  // Winding angle: all round from within, nothing from outside.
  const polygon = regions.find(({ id }) => id === place.region)?.polygon ?? [];
  let turned = 0;
  polygon.forEach(([ax, ay], at) => {
    const [bx, by] = polygon[(at + 1) % polygon.length] ?? [ax, ay];
    turned += wrap(Math.atan2(by - y, bx - x) - Math.atan2(ay - y, ax - x));
  });
  return Math.abs(turned) > Math.PI;
}
