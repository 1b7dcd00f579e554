import type { Placing, Variation } from '../../protocol/files/variation-file.ts';
import { degToRad } from '../../protocol/wire/geometry.ts';
import { FACING_WITHIN_DEG } from '../../protocol/wire/placings.ts';
import { createRandom, nextFloat, nextInt, type Random } from '../random.ts';
import type { SceneDefinition, ThingAtStart } from '../scene-definition.ts';
import { halfHeightM } from '../thing-solids.ts';
import { createFloorPlan, type FloorPlan } from './floor-plan.ts';
import { headingTo, holds, isPlacing, sampleIn } from './placings.ts';
import { UnmetVariationError } from './unmet.ts';

/** Mixed into the seed: other sequences are drawn from the seed itself. */
const STREAM = 0x6c8e9cf5;
/** A layout is drawn again until it is valid, with this many tried places in all; one that needs more demands too much. */
export const LOOKS_MAX = 4_000;
const SAMPLES = 60;

/**
 * Draws the things of a scene that varies, until all that it asks for holds, and nothing is in anything else. Each rests on what is under it.
 * @param looks how many places may be looked at; what is left of them stays in it
 * @throws UnmetVariationError when what it asks for cannot be met
 */
export function drawLayout(
  scene: SceneDefinition,
  variation: Variation,
  seed: number,
  looks: Looks = { left: LOOKS_MAX },
): readonly ThingAtStart[] {
  const random = createRandom(seed ^ STREAM);
  const failures = new Map<string, number>();
  while (looks.left > 0) {
    looks.left -= 1;
    const drawn = drawOnce(scene, variation, random, looks);
    if (drawn.ok) return drawn.things;
    failures.set(drawn.path, (failures.get(drawn.path) ?? 0) + 1);
  }
  const [worst] = [...failures].sort(([, one], [, other]) => other - one);
  throw new UnmetVariationError(scene.layout.scene_id, seed, worst?.[0] ?? 'place');
}

/** How many places may still be looked at. */
export interface Looks {
  left: number;
}

type Drawn = { ok: true; things: ThingAtStart[] } | { ok: false; path: string };

/** 1. how many; 2. what they are like; 3. who stands where; 4. a little beside it; 5. those that get a new place, in the order of the file. */
function drawOnce(scene: SceneDefinition, variation: Variation, random: Random, looks: Looks): Drawn {
  const things = scene.things.map((thing) => ({ ...thing }));
  const byId = new Map(things.flatMap((thing) => (thing.id === undefined ? [] : [[thing.id, thing] as const])));
  const absent = drawAbsent(variation, random);
  const { choose = [], permute = [], jitter = [], place = [] } = variation;
  for (const { thing: id, from } of choose) applyChoice(byId.get(id), from[nextInt(random, from.length)]);
  for (const ids of permute)
    exchangePlaces(
      ids.flatMap((id) => byId.get(id) ?? []),
      random,
    );
  for (const { thing: id, xy_m: xyM = 0, yaw_deg: yawDeg = 0 } of jitter) move(byId.get(id), xyM, yawDeg, random);
  const placed = new Set(place.filter(isPlacing).map(({ thing }) => thing));
  const present = things.filter(({ id }) => id === undefined || !absent.has(id));

  const plan = createFloorPlan(scene);
  // Supports come first.
  for (const thing of present.filter(({ id }) => id === undefined || !placed.has(id)).sort(byHeight)) {
    looks.left -= 1;
    if (!plan.takes(thing)) return { ok: false, path: pathOf(variation, thing.id) };
    plan.put(thing);
  }
  for (const [index, entry] of place.entries()) {
    const thing = byId.get(entry.thing);
    if (!thing || !isPlacing(entry) || absent.has(entry.thing)) continue;
    if (!settle(plan, thing, entry, place, random, looks)) return { ok: false, path: `place[${index}]` };
    plan.put(thing);
  }
  for (const [index, entry] of place.entries()) {
    if (isPlacing(entry) || absent.has(entry.thing) || absent.has(entry.of)) continue;
    if (!holds(plan, entry)) return { ok: false, path: `place[${index}]` };
  }
  return { ok: true, things: present };
}

const byHeight = (one: ThingAtStart, other: ThingAtStart): number =>
  one.position[2] - halfHeightM(one.shape) - (other.position[2] - halfHeightM(other.shape));

function drawAbsent({ count = [] }: Variation, random: Random): Set<string> {
  const absent = new Set<string>();
  for (const { things, least, most } of count) {
    const wanted = least + nextInt(random, most - least + 1);
    for (const id of shuffled(things, random).slice(wanted)) absent.add(id);
  }
  return absent;
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const drawn = [...list];
  for (let last = drawn.length - 1; last > 0; last -= 1) {
    const other = nextInt(random, last + 1);
    const [one, two] = [drawn[last], drawn[other]];
    if (one === undefined || two === undefined) continue;
    drawn[last] = two;
    drawn[other] = one;
  }
  return drawn;
}

type Choice = NonNullable<Variation['choose']>[number]['from'][number];

function applyChoice(thing: ThingAtStart | undefined, chosen: Choice | undefined): void {
  if (!thing || !chosen) return;
  if (chosen.color !== undefined) thing.colour = chosen.color;
  if (chosen.yaw_deg !== undefined) thing.yawRad = degToRad(chosen.yaw_deg);
}

/** Things of different heights exchange the places that they stand on. */
function exchangePlaces(things: readonly ThingAtStart[], random: Random): void {
  const places = shuffled(
    things.map(({ position: [x, y, z], shape }) => ({ x, y, underZ: z - halfHeightM(shape) })),
    random,
  );
  for (const [index, thing] of things.entries()) {
    const place = places[index];
    if (place) thing.position = [place.x, place.y, place.underZ + halfHeightM(thing.shape)];
  }
}

/** Uniform in [-most, most]. */
const around = (random: Random, most: number): number => (2 * nextFloat(random) - 1) * most;

function move(thing: ThingAtStart | undefined, xyM: number, yawDeg: number, random: Random): void {
  const [dx, dy, turnDeg] = [around(random, xyM), around(random, xyM), around(random, yawDeg)];
  if (!thing) return;
  const [x, y, z] = thing.position;
  thing.position = [x + dx, y + dy, z];
  if (turnDeg !== 0) thing.yawRad = (thing.yawRad ?? 0) + degToRad(turnDeg);
}

/** Draws places for a thing until one is free and meets all demands on the thing so far. */
function settle(
  plan: FloorPlan,
  thing: ThingAtStart,
  entry: Placing,
  place: readonly Placing[],
  random: Random,
  looks: Looks,
): boolean {
  const own = place.filter((other) => other.thing === thing.id && !isPlacing(other));
  for (let sample = 0; sample < SAMPLES && looks.left > 0; sample += 1) {
    looks.left -= 1;
    const at = sampleIn(plan, entry, thing, random);
    if (at === null) return false;
    thing.position = at;
    for (const { is, of, within_deg: withinDeg = FACING_WITHIN_DEG } of own) {
      const yawRad = is === 'facing' ? headingTo(plan, thing, of) : null;
      if (yawRad !== null) thing.yawRad = yawRad + degToRad(around(random, withinDeg));
    }
    if (!plan.takesIn(thing, entry)) continue;
    if (own.every((other) => !plan.knows(other.of) || holds(plan, other, thing))) return true;
  }
  return false;
}

/** The first entry that moves a thing; the thing itself cannot be at the place of the file. */
function pathOf({ jitter = [], permute = [], choose = [] }: Variation, id: string | undefined): string {
  const jittered = jitter.findIndex(({ thing }) => thing === id);
  if (jittered !== -1) return `jitter[${jittered}]`;
  const permuted = permute.findIndex((ids) => id !== undefined && ids.includes(id));
  if (permuted !== -1) return `permute[${permuted}]`;
  const chosen = choose.findIndex(({ thing }) => thing === id);
  return chosen === -1 ? 'place' : `choose[${chosen}]`;
}
