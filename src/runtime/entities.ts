import * as portable from '../common/portable-math.ts';
import * as errors from '../protocol/texts/error-texts.ts';
import type { EntityKind } from '../protocol/wire/entity-kind.ts';
import type { RuntimeError } from '../protocol/wire/error-codes.ts';
import type { Vec3 } from '../protocol/wire/geometry.ts';
import { carrierOf } from '../protocol/wire/place.ts';
import { NEAREST_CUBE_ALIAS, ROBOT_ENTITY_ID } from '../protocol/wire/scene.ts';
import * as base from '../simulation/base.ts';
import { findCollected } from '../simulation/collection.ts';
import * as scene from '../simulation/scene.ts';
import type { SimWorld } from '../simulation/sim-world.ts';
import * as things from '../simulation/things.ts';
import { type Named, nearestNames } from './nearest-names.ts';

/** Returns the ids of all things that calls can name. */
export const entityIds = (world: SimWorld): string[] => [
  ROBOT_ENTITY_ID,
  ...scene.pads(world).map((pad) => pad.pad_id),
  ...things.list(world).map((thing) => thing.entityId),
];

/** Returns all things of these kinds that calls can name, nearest first within a kind, with the words a person has for them. */
function namedEntities(world: SimWorld, kinds: readonly EntityKind[]): Named[] {
  const byDistance = <T extends { position: Vec3 }>(things: readonly T[]): T[] =>
    [...things].sort((a, b) => distanceToBase(world, a.position) - distanceToBase(world, b.position));
  const named: Record<EntityKind, () => Named[]> = {
    robot: () => [{ name: ROBOT_ENTITY_ID }],
    pad: () =>
      byDistance(scene.pads(world)).map(({ pad_id: name, color, role }) => ({
        name,
        words: [...(color ? [color] : []), ...carrierWords(world, name), role],
      })),
    cube: () =>
      byDistance(things.list(world).filter(({ isCube }) => isCube)).map(({ entityId: name, colour }) => ({
        name,
        words: [colour],
      })),
    object: () =>
      byDistance(things.list(world).filter(({ isCube }) => !isCube)).map(({ entityId: name, colour, category }) => ({
        name,
        words: [category, colour],
      })),
  };
  return kinds.flatMap((kind) => named[kind]());
}

/** Returns the words for what carries a pad: the name of its kind, and others that people use. */
function carrierWords({ scene: place }: SimWorld, padId: string): readonly string[] {
  const carrier = carrierOf(place, padId);
  if (!carrier) return [];
  return carrier.kind === 'belt' ? [carrier.kind, 'conveyor'] : [carrier.kind];
}

/** Returns the kind of the thing that an id names, or null when the id names nothing. */
export function kindOf(world: SimWorld, entityId: string): EntityKind | null {
  if (entityId === ROBOT_ENTITY_ID) return 'robot';
  if (scene.padOf(world, entityId)) return 'pad';
  const thing = things.find(world, entityId);
  if (!thing) return null;
  return thing.isCube ? 'cube' : 'object';
}

/**
 * Returns the centre of a movable thing, of a pad's surface, or of the robot's base, in metres in the world frame; null for an
 * unknown id.
 */
export function entityPoint(world: SimWorld, entityId: string): Vec3 | null {
  if (entityId === ROBOT_ENTITY_ID) {
    const { x, y } = base.pose(world);
    return [x, y, world.robot.model.baseHeightM];
  }
  return scene.padOf(world, entityId)?.position ?? things.find(world, entityId)?.position ?? null;
}

/**
 * Returns UNKNOWN_ENTITY with the most similar ids, or with the note that the cube was collected; null if the id is known.
 * @param accepted the kinds that the caller can use; only these are suggested
 */
export function unknownEntity(world: SimWorld, entityId: string, accepted: readonly EntityKind[]): RuntimeError | null {
  if (kindOf(world, entityId)) return null;
  // A cube leaves the world only by being collected.
  if (things.hasBeenGiven(world, entityId)) return errors.collected(entityId, findCollected(world, entityId)?.padId ?? null);
  return errors.unknownEntity(entityId, nearestEntities(world, entityId, accepted));
}

/** Returns the ids of these kinds most similar to an unknown one, best first; none for a cube that has been collected. */
export const nearestEntities = (world: SimWorld, entityId: string, kinds: readonly EntityKind[]): string[] =>
  things.hasBeenGiven(world, entityId) ? [] : nearestNames(entityId, namedEntities(world, kinds));

/** Returns the distance from the base to a point, in the floor plane, metres. */
export function distanceToBase(world: SimWorld, [x, y]: Vec3 | readonly [number, number]): number {
  const at = base.pose(world);
  return portable.hypot(x - at.x, y - at.y);
}

/** Ids of the pads that cubes belong on. */
const destinationPadIds = (world: SimWorld): string[] =>
  scene
    .pads(world)
    .filter((pad) => pad.role === 'destination')
    .map((pad) => pad.pad_id);

/**
 * Returns the cube that the alias means: the nearest one that is neither held nor on a destination pad.
 * Returns an id that is not the alias unchanged.
 */
export function resolveAlias(world: SimWorld, entityId: string): string | null {
  if (entityId !== NEAREST_CUBE_ALIAS) return entityId;
  const done = destinationPadIds(world);
  const free = things
    .list(world)
    .filter((thing) => thing.isCube && !thing.held && !(thing.parentPadId !== null && done.includes(thing.parentPadId)));
  const [nearest] = free
    .map((thing) => ({ id: thing.entityId, distanceM: distanceToBase(world, thing.position) }))
    .sort((a, b) => a.distanceM - b.distanceM);
  return nearest?.id ?? null;
}
