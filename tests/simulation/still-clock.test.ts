import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type RAPIER from '@dimforge/rapier3d-compat';
import { afterEach, expect, it, vi } from 'vitest';
import { builtInScene } from '../../src/simulation/scene.ts';
import { stillClockOf } from '../../src/simulation/still-clock.ts';
import { createWorldOf, disposeWorld, stepWorld } from '../../src/simulation/world.ts';

afterEach(() => void vi.restoreAllMocks());

/** An engine of its own, which has read no clock yet. */
async function freshEngine(name: string): Promise<typeof RAPIER> {
  const file = createRequire(import.meta.url)
    .resolve('@dimforge/rapier3d-compat')
    .replace(/\.cjs$/, '.mjs');
  const { default: rapier } = await import(/* @vite-ignore */ `${pathToFileURL(file)}?${name}`);
  await rapier.init();
  return rapier;
}

it('the engine reads the clock of the page in no step of a world', async () => {
  const rapier = await freshEngine('still');
  const clock = vi.spyOn(performance, 'now');
  const scene = builtInScene('hall');
  if (!scene) throw new Error('There is no hall.');
  const world = createWorldOf(rapier, scene, { seed: 1 });
  for (let step = 0; step < 10; step += 1) stepWorld(world);
  expect(clock).not.toHaveBeenCalled();
  disposeWorld(world);
});

it('an unmodified engine reads the clock, so the replacement is necessary', async () => {
  const rapier = await freshEngine('as-it-comes');
  const clock = vi.spyOn(performance, 'now');
  new rapier.World({ x: 0, y: 0, z: 0 }).step();
  expect(clock).toHaveBeenCalled();
});

it('the clock of the page is restored, also when the engine fails', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'performance');
  const failing = {
    World: class {
      constructor() {
        expect(performance.now()).toBe(0);
        throw new Error('no memory');
      }
    },
  } as unknown as typeof RAPIER;
  expect(() => stillClockOf(failing)).toThrow('no memory');
  expect(Object.getOwnPropertyDescriptor(globalThis, 'performance')).toEqual(before);
  expect(performance.now()).toBeGreaterThan(0);
});

it('an engine in a place with locked globals keeps the clock that it finds', () => {
  const untouched = {
    World: class {
      constructor() {
        throw new Error('made');
      }
    },
  } as unknown as typeof RAPIER;
  const globals = Object.freeze({ performance: { now: () => 7 } });
  stillClockOf(untouched, globals);
  expect(globals.performance.now()).toBe(7);
});
