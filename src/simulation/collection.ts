import { COLLECTED_LISTED } from '../protocol/wire/limits.ts';
import { padOf } from './scene.ts';
import type { SceneDefinition } from './scene-definition.ts';
import type { CollectedCube, CollectionState, SimWorld } from './sim-world.ts';
import type { Thing } from './thing.ts';
import { removeThing } from './things.ts';

/** Only in a scene for sorting there are right deliveries. */
export const createCollection = ({ benchmark }: SceneDefinition): CollectionState => ({
  enabled: benchmark === 'sorting',
  listed: [],
  sinceArmed: new Map(),
});

/**
 * Collects a cube that has just been put down, if it rests on the destination pad of its own colour: it is counted, leaves the physics
 * world and is listed.
 * @returns whether it was collected
 */
export function collectDelivered(world: SimWorld, entityId: string): boolean {
  const { collection, things, benchmark } = world;
  const cube = things.byId.get(entityId);
  const padId = cube?.isCube && collection.enabled ? rightPadUnder(world, cube) : null;
  if (!cube || padId === null) return false;
  const { position: p, rotation: r } = cube;
  collection.listed.push({
    entityId,
    colour: cube.colour,
    padId,
    position: [p.x, p.y, p.z],
    orientation: [r.x, r.y, r.z, r.w],
    simTimeS: world.simTimeS,
  });
  collection.listed.splice(0, collection.listed.length - COLLECTED_LISTED);
  if (benchmark.enabled && !benchmark.alreadyThere.has(entityId))
    collection.sinceArmed.set(padId, (collection.sinceArmed.get(padId) ?? 0) + 1);
  // A spoiled cube stays in the count; the set holds only existing cubes, so that it does not grow for ever.
  if (benchmark.spoiled.delete(entityId)) benchmark.spoiledAndGone += 1;
  benchmark.alreadyThere.delete(entityId);
  removeThing(world, cube);
  return true;
}

/** Returns the destination pad that a cube rests on, if the pad has its colour. */
function rightPadUnder(world: SimWorld, cube: Thing): string | null {
  const pad = cube.restsOnPadId === null ? null : padOf(world, cube.restsOnPadId);
  return pad?.role === 'destination' && pad.color === cube.colour ? pad.pad_id : null;
}

/** Returns the collected cube of this id that is still listed, or null. */
export const findCollected = ({ collection }: SimWorld, entityId: string): CollectedCube | null =>
  collection.listed.find((cube) => cube.entityId === entityId) ?? null;
