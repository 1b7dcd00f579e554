/** The judge's answers about falling things. */
import RAPIER from '@dimforge/rapier3d-compat';
import { expect, test } from 'vitest';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import { LOOKS_MAX } from '../../src/simulation/variation/lay-out.ts';
import { createWorld, disposeWorld, stepWorld } from '../../src/simulation/world.ts';
import { createObserver, viewOfStart } from '../../src/tasks/judged-view.ts';

/** The steps in which the judge reports the fall of a cube that was released at a height, and those in which it was at rest. */
async function fallsFrom(heightM: number): Promise<{ fellAt: number[]; restsFrom: number }> {
  await RAPIER.init();
  const world = createWorld(RAPIER, { seed: 1, sceneId: 'living_room' });
  const observer = createObserver();
  observer.look(world, 0);
  const thing = world.things.byId.get('toy_cube_1') ?? world.things.all.find(({ isCube }) => isCube);
  if (!thing) throw new Error('no cube');
  const { x, y, z } = thing.rigidBody.translation();
  thing.rigidBody.setTranslation({ x, y, z: z + heightM }, true);
  const fellAt: number[] = [];
  let restsFrom = 0;
  for (let step = 1; step <= 240; step += 1) {
    stepWorld(world);
    const view = observer.look(world, step);
    if (view.dropped.includes(thing.entityId)) fellAt.push(step);
    if (!view.things.find(({ id }) => id === thing.entityId)?.isAtRest) restsFrom = step + 1;
  }
  disposeWorld(world);
  return { fellAt, restsFrom };
}

test('a thing that falls by more than a quarter of a metre counts as dropped, once and while it falls', async () => {
  const { fellAt, restsFrom } = await fallsFrom(0.6);
  expect(fellAt).toHaveLength(1);
  expect(fellAt[0]).toBeLessThan(restsFrom);
  // Free fall: s = g t^2 / 2, a quarter of a metre in 0.226 s.
  expect(Math.abs((fellAt[0] ?? 0) - 0.226 * 120)).toBeLessThan(4);
});

test('a thing that falls by less does not count as dropped', async () => {
  expect((await fallsFrom(0.2)).fellAt).toEqual([]);
});

test.each(SCENE_IDS)('the start of %s that is computed without a world equals that of a world', async (sceneId) => {
  await RAPIER.init();
  const scene = builtInScene(sceneId);
  if (!scene) throw new Error('there is no such scene');
  for (let seed = 1; seed <= 20; seed += 1) {
    const world = createWorld(RAPIER, { seed, sceneId });
    const { world: _, ...view } = createObserver().look(world, 0);
    const { world: __, ...here } = viewOfStart(scene, seed, { left: LOOKS_MAX });
    expect(here).toEqual(view);
    disposeWorld(world);
  }
});
