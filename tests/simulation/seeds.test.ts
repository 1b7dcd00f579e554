import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, describe, expect, it } from 'vitest';
import { CUBE_EDGE_M, THING_COLOURS } from '../../src/protocol/wire/scene.ts';
import { createRandom, nextInt } from '../../src/simulation/random.ts';
import { builtInScene, Scenes } from '../../src/simulation/scene.ts';
import { readSceneFile } from '../../src/simulation/scene-file/read.ts';
import { startRow } from '../../src/simulation/start-row.ts';
import { createWorld, disposeWorld } from '../../src/simulation/world.ts';
import { theConveyor } from './test-world.ts';

const own = builtInScene('warehouse')?.fixtures[0]?.startColours ?? [];
const seeds = Array.from({ length: 1_000 }, (_, index) => index);
/** The first cubes that come when some are taken, as the belt draws them. */
const comers = (seed: number): string[] => {
  const random = createRandom(seed);
  return Array.from({ length: 12 }, () => THING_COLOURS[nextInt(random, THING_COLOURS.length)] ?? '');
};

beforeAll(() => RAPIER.init());

describe('the row of cubes', () => {
  it('the row of seed 1 is the one that the scene names', () => {
    expect(startRow(own, 1)).toEqual(['blue', 'green', 'green', 'blue', 'red', 'red', 'blue']);
    expect(startRow(own, 2 ** 32 + 1)).toEqual(startRow(own, 1));
  });

  it('the row of every other of 1,000 seeds differs from it, and is the same each time', () => {
    const others = seeds.filter((seed) => seed !== 1);
    expect(others.filter((seed) => startRow(own, seed).join() === own.join())).toEqual([]);
    for (const seed of others) expect(startRow(own, seed)).toEqual(startRow(own, seed));
    // Of 16,384 rows a thousand draws hit some twice: 970 different ones are expected.
    expect(new Set(seeds.map((seed) => startRow(own, seed).join())).size).toBeGreaterThan(940);
  });

  it('the row and the cubes to come are never the same in 1,000 seeds, and are independent of each other', () => {
    expect(new Set(seeds.map((seed) => [...startRow(own, seed), ...comers(seed)].join())).size).toBe(seeds.length);
    for (const [place] of own.entries()) {
      for (const colour of THING_COLOURS) {
        const here = seeds.filter((seed) => startRow(own, seed)[place] === colour);
        // A quarter of 1,000, within four standard deviations.
        expect(Math.abs(here.length - 250)).toBeLessThan(55);
        const after = here.filter((seed) => comers(seed)[place] === colour);
        expect(Math.abs(after.length - here.length / 4)).toBeLessThan(28);
      }
    }
  });

  it('the row is in the world of its seed', () => {
    for (const seed of [0, 1, 7, 4_294_967_295]) {
      const world = createWorld(RAPIER, { seed });
      expect(theConveyor(world).row.map(({ colour }) => colour)).toEqual(startRow(own, seed));
      disposeWorld(world);
    }
  });
});

it('a cube that keeps its colour has it with every seed; the others draw theirs as without it', () => {
  const cube = (x: number, more: object = {}) => ({ color: 'red', position: [x, 2, CUBE_EDGE_M / 2], ...more });
  const scenes = new Scenes();
  const room = (id: string, things: object[]) => {
    const bounds = { min: [-3, -3, 0], max: [3, 3, 3] };
    const read = readSceneFile({
      format: 'simplesim.scene/1',
      scene_id: id,
      title: id,
      summary: id,
      bounds,
      spawn: { position: [-1.5, 0] },
      things,
    });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    scenes.add(read.definition);
  };
  room('keeping', [cube(-2), cube(-1, { keeps_color: true }), cube(0), cube(1, { keeps_color: false })]);
  room('drawing', [cube(-2), cube(0), cube(1)]);
  const coloursOf = (sceneId: string, seed: number): string[] => {
    const world = createWorld(RAPIER, { seed, scenes, sceneId });
    const colours = world.things.all.map(({ colour }) => colour);
    disposeWorld(world);
    return colours;
  };
  for (let seed = 0; seed < 20; seed += 1) {
    const [first, kept, ...others] = coloursOf('keeping', seed);
    expect([kept, [first, ...others]]).toEqual(['red', coloursOf('drawing', seed)]);
  }
});
