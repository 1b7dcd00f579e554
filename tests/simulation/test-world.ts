import RAPIER from '@dimforge/rapier3d-compat';
import { conveyors } from '../../src/simulation/fixtures.ts';
import type { SceneDefinition } from '../../src/simulation/scene-definition.ts';
import type { Conveyor, SimWorld } from '../../src/simulation/sim-world.ts';
import { createWorld, createWorldOf, disposeWorld, stepWorld, type WorldOptions } from '../../src/simulation/world.ts';

await RAPIER.init();

/** Runs something with a world, and disposes of the world afterwards. */
export const withWorld = <T>(options: Partial<WorldOptions>, run: (world: SimWorld) => T): T =>
  disposedAfter(createWorld(RAPIER, { seed: 1, ...options }), run);

/** Runs something with a world of a scene, and disposes of the world afterwards. */
export const withWorldOf = <T>(scene: SceneDefinition, run: (world: SimWorld) => T): T =>
  disposedAfter(createWorldOf(RAPIER, scene, { seed: 1 }), run);

function disposedAfter<T>(world: SimWorld, run: (world: SimWorld) => T): T {
  try {
    return run(world);
  } finally {
    disposeWorld(world);
  }
}

export function step(world: SimWorld, count: number): void {
  for (let i = 0; i < count; i++) stepWorld(world);
}

/** Steps until `condition` holds. @throws if it does not within `maxSteps` */
export function stepUntil(world: SimWorld, condition: () => boolean, maxSteps: number): number {
  for (let i = 0; i < maxSteps; i++) {
    if (condition()) return i;
    stepWorld(world);
  }
  if (condition()) return maxSteps;
  throw new Error(`Not within ${maxSteps} steps: ${condition}`);
}

/** The conveyor of a world that has one. @throws if it has none */
export function theConveyor(world: SimWorld): Conveyor {
  const [first] = conveyors(world);
  if (!first) throw new Error('There is no conveyor.');
  return first;
}

/** Sets a cube down somewhere, as no skill could: tests arrange scenes with it. */
export function putCube(world: SimWorld, entityId: string, x: number, y: number, z: number, yawRad = 0): void {
  const thing = world.things.byId.get(entityId);
  if (!thing) throw new Error(`no ${entityId}`);
  thing.rigidBody.setTranslation({ x, y, z }, true);
  thing.rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(yawRad / 2), w: Math.cos(yawRad / 2) }, true);
  thing.rigidBody.setLinvel({ x: 0, y: 0, z: 0 }, true);
  thing.rigidBody.setAngvel({ x: 0, y: 0, z: 0 }, true);
}

/** Positions from physics, independent of every copy in the simulation. */
export function truePosition(world: SimWorld, entityId: string): { x: number; y: number; z: number } {
  const thing = world.things.byId.get(entityId);
  if (!thing) throw new Error(`no ${entityId}`);
  return thing.rigidBody.translation();
}
