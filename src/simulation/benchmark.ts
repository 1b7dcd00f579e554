import { reseed } from './random.ts';
import { padOf, pads } from './scene.ts';
import type { SceneDefinition } from './scene-definition.ts';
import type { BenchmarkState, SimWorld } from './sim-world.ts';
import type { Thing } from './thing.ts';
import { isAtRest } from './things.ts';

/** The counts as clients read them. */
export interface BenchmarkCounts {
  enabled: boolean;
  correct_count: number;
  wrong_count: number;
  spoiled_count: number;
  pallet_stack_counts: Record<string, number>;
  /** Whether a right delivery leaves its pallet. */
  collect: boolean;
  /** The number of correct cubes that have left their pallets. */
  collected_count: number;
}

/** Returns a count that nothing has been added to; it is on from the start in a scene for sorting. */
export const createBenchmark = ({ benchmark }: SceneDefinition): BenchmarkState => ({
  enabled: benchmark === 'sorting',
  alreadyThere: new Set(),
  spoiled: new Set(),
  spoiledAndGone: 0,
});

/** Returns whether the scene of this world is made for sorting. */
export const isOffered = ({ scene }: SimWorld): boolean => scene.benchmark === 'sorting';

/**
 * Switches the count or the collecting on or off, and restarts the count: cubes collected before do not count, and cubes that
 * lie on the pads now do not count until they have been moved. A seed restarts the generator of new cubes' colours.
 */
export function configure(
  world: SimWorld,
  options: { enabled?: boolean | undefined; seed?: number | undefined; collect?: boolean | undefined },
): void {
  const { benchmark, collection } = world;
  if (options.enabled !== undefined) benchmark.enabled = options.enabled;
  if (options.collect !== undefined) collection.enabled = options.collect;
  if (options.seed !== undefined) reseed(world.random, options.seed);
  benchmark.alreadyThere.clear();
  benchmark.spoiled.clear();
  benchmark.spoiledAndGone = 0;
  collection.sinceArmed.clear();
  for (const thing of world.things.all) {
    if (destinationOf(world, thing) !== null || liesLoose(thing)) benchmark.alreadyThere.add(thing.entityId);
  }
}

/** Records after a step which cubes have left their old places, and which lie where they should not. */
export function update({ things, benchmark, scene }: SimWorld): void {
  if (scene.benchmark === null) return;
  for (const thing of things.all) {
    if (!thing.isCube) continue;
    if (thing.restsOnPadId !== null && benchmark.alreadyThere.size === 0) continue;
    if (thing.carrier === 'hands') benchmark.alreadyThere.delete(thing.entityId);
    else if (liesLoose(thing) && !benchmark.alreadyThere.has(thing.entityId)) benchmark.spoiled.add(thing.entityId);
  }
}

const liesLoose = (thing: Thing): boolean => isAtRest(thing) && thing.restsOnPadId === null;

function destinationOf(world: SimWorld, thing: Thing): string | null {
  const pad = thing.restsOnPadId === null ? null : padOf(world, thing.restsOnPadId);
  return pad?.role === 'destination' ? pad.pad_id : null;
}

/** Returns the cubes that rest on the destination pads now and those collected from them. All zero while the count is off, and of no pad in a scene that is not for sorting. */
export function counts(world: SimWorld): BenchmarkCounts {
  const { benchmark, collection, things } = world;
  const destinations = isOffered(world) ? pads(world).filter((pad) => pad.role === 'destination') : [];
  const result: BenchmarkCounts = {
    enabled: benchmark.enabled,
    correct_count: 0,
    wrong_count: 0,
    spoiled_count: benchmark.enabled ? benchmark.spoiled.size + benchmark.spoiledAndGone : 0,
    pallet_stack_counts: Object.fromEntries(destinations.map((pad) => [pad.pad_id, 0])),
    collect: collection.enabled,
    collected_count: 0,
  };
  if (!benchmark.enabled) return result;
  for (const [padId, collected] of collection.sinceArmed) {
    result.correct_count += collected;
    result.collected_count += collected;
    result.pallet_stack_counts[padId] = collected;
  }
  for (const thing of things.all) {
    const pad = destinations.find((candidate) => candidate.pad_id === thing.restsOnPadId);
    if (!pad || !thing.isCube || benchmark.alreadyThere.has(thing.entityId)) continue;
    if (pad.color === thing.colour) {
      result.correct_count += 1;
      result.pallet_stack_counts[pad.pad_id] = (result.pallet_stack_counts[pad.pad_id] ?? 0) + 1;
    } else result.wrong_count += 1;
  }
  return result;
}
