/**
 * How scenes vary with the seed. `SIMPLESIM_LAYOUTS=10000 npx vitest run tests/simulation/variation.test.ts` draws as many of
 * each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Placing } from '../../src/protocol/files/variation-file.ts';
import { SCENE_IDS, type SceneId } from '../../src/protocol/wire/scene-ids.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import type { SceneDefinition, ThingAtStart } from '../../src/simulation/scene-definition.ts';
import { readSceneFile } from '../../src/simulation/scene-file/read.ts';
import * as things from '../../src/simulation/things.ts';
import { thingsAtStart } from '../../src/simulation/variation/things-at-start.ts';
import { stateHash } from '../../src/simulation/world.ts';
import { step, withWorld } from './test-world.ts';
import { faultsOf } from './variation-judge.ts';

const LAYOUTS = Number(process.env.SIMPLESIM_LAYOUTS ?? 300);
const VARIED = SCENE_IDS.filter((id) => builtInScene(id)?.file.variation !== undefined);

function definitionOf(id: SceneId): SceneDefinition {
  const scene = builtInScene(id);
  if (!scene) throw new Error(`There is no scene ${id}.`);
  return scene;
}
const reported = (things: readonly ThingAtStart[]): string => JSON.stringify(things);

/** Whether a relation of the file is fulfilled in a layout, by plain trigonometry. */
function isSo(
  { layout, spawn }: SceneDefinition,
  things: readonly ThingAtStart[],
  { thing, is, of, ...limits }: Placing,
): boolean {
  const it = things.find(({ id }) => id === thing);
  const other = things.find(({ id }) => id === of)?.position ?? layout.pads.find(({ pad_id }) => pad_id === of)?.position;
  const place = other ?? layout.obstacles.find(({ obstacle_id }) => obstacle_id === of)?.pose.position;
  if (!it || !place) return true;
  const [dx, dy] = [it.position[0] - place[0], it.position[1] - place[1]];
  if (is === 'near') return Math.hypot(dx, dy) <= (limits.within_m ?? 0) + 1e-9;
  if (is === 'left_of') return dx * -Math.sin(spawn.yawRad) + dy * Math.cos(spawn.yawRad) > 0;
  if (is === 'facing') {
    const off = (it.yawRad ?? 0) - Math.atan2(-dy, -dx);
    return Math.cos(off) >= Math.cos((((limits.within_deg ?? 10) + 0.01) * Math.PI) / 180);
  }
  // The distance of outlines is at least that of the middles less their radii.
  if (is === 'clear_of') return Math.hypot(dx, dy) >= (limits.least_m ?? 0);
  return true;
}

describe.each(VARIED)('the layouts of %s', (id) => {
  const scene = definitionOf(id);
  const seeds = Array.from({ length: LAYOUTS }, (_, index) => index + 2);

  it(`${LAYOUTS} of them: no thing overlaps another, all things rest, and the relations of the file are fulfilled`, () => {
    const seen = new Set<string>();
    for (const seed of seeds) {
      const things = thingsAtStart(scene, seed);
      expect(faultsOf(scene, things), `seed ${seed}`).toEqual([]);
      for (const entry of scene.file.variation?.place ?? [])
        expect(isSo(scene, things, entry), `seed ${seed} ${JSON.stringify(entry)}`).toBe(true);
      for (const { things: ids, least, most } of scene.file.variation?.count ?? []) {
        const present = things.filter((thing) => thing.id !== undefined && ids.includes(thing.id)).length;
        expect(present).toBeGreaterThanOrEqual(least);
        expect(present).toBeLessThanOrEqual(most);
      }
      seen.add(reported(things));
    }
    expect(seen.size).toBe(seeds.length);
  });

  it('P12 are the same for the same seed, and those of the file for seed 1', () => {
    expect(thingsAtStart(scene, 1)).toBe(scene.things);
    for (const seed of seeds.slice(0, 20))
      expect(reported(thingsAtStart(scene, seed))).toBe(reported(thingsAtStart(scene, seed)));
    expect(reported(thingsAtStart(scene, 2 ** 32 + 7))).toBe(reported(thingsAtStart(scene, 7)));
  });

  it.each([2, 3, 4, 5, 2 ** 31])('P12 seed %i makes a world in which all things lie still', (seed) => {
    const hash = () =>
      withWorld({ sceneId: id, seed }, (world) => {
        const before = things.list(world);
        expect(before.map(({ entityId }) => entityId)).toHaveLength(thingsAtStart(scene, seed).length);
        expect(before.every(({ atRest }) => atRest)).toBe(true);
        step(world, 240);
        for (const [index, { entityId, position }] of things.list(world).entries()) {
          const [x, y, z] = before[index]?.position ?? [0, 0, 0];
          expect(Math.hypot(position[0] - x, position[1] - y, position[2] - z), entityId).toBeLessThan(0.003);
        }
        return stateHash(world);
      });
    expect(hash()).toBe(hash());
  });
});

describe('a variation', () => {
  const kitchen = () =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../../scenes/kitchen.json'), 'utf8')) as { variation: object };
  const reported = (variation: unknown): string => {
    const read = readSceneFile({ ...kitchen(), variation });
    return read.ok ? '' : read.problems.map(({ path, reason }) => `${path} ${reason}`).join('\n');
  };

  it.each<[string, unknown, RegExp]>([
    [
      'that names nothing',
      { jitter: [{ thing: 'spoon', xy_m: 0.1 }] },
      /^variation\.jitter\[0\]\.thing must name a thing of this scene by its id; there are basket, cup/,
    ],
    [
      'of an unknown place',
      { place: [{ thing: 'cup', is: 'on', of: 'moon' }] },
      /^variation\.place\[0\]\.of must name a pad or an obstacle/,
    ],
    [
      'in a thing that is not a container',
      { place: [{ thing: 'cup', is: 'in', of: 'can' }] },
      /^variation\.place\[0\]\.of must name a region or a container/,
    ],
    [
      'near itself',
      { place: [{ thing: 'cup', is: 'near', of: 'cup', within_m: 1 }] },
      /^variation\.place\[0\]\.of must name .* other than the thing itself/,
    ],
    [
      'near without how near',
      { place: [{ thing: 'cup', is: 'near', of: 'can' }] },
      /^variation\.place\[0\]\.within_m is missing; near needs it/,
    ],
    [
      'on with a distance',
      { place: [{ thing: 'cup', is: 'on', of: 'table_top', least_m: 1 }] },
      /^variation\.place\[0\]\.least_m means nothing for on/,
    ],
    [
      'twice on',
      {
        place: [
          { thing: 'cup', is: 'on', of: 'table_top' },
          { thing: 'cup', is: 'on', of: 'rack_top' },
        ],
      },
      /^variation\.place\[1\]\.thing must be one that no earlier entry/,
    ],
    [
      'of more than there are',
      { count: [{ things: ['cup'], least: 0, most: 2 }] },
      /^variation\.count\[0\]\.most must be from least, 0, to the number of things, 1/,
    ],
    [
      'of a cube’s colour',
      { choose: [{ thing: 'floor_cube', from: [{ color: 'red' }, { color: 'blue' }] }] },
      /^variation\.choose\[0\]\.from\[0\]\.color means nothing for a cube/,
    ],
    [
      'that no place meets',
      {
        place: [
          { thing: 'cup', is: 'on', of: 'table_top' },
          { thing: 'cup', is: 'near', of: 'fridge', within_m: 0.3 },
        ],
      },
      /^variation\.place\[0\] could not be met for the seed 2; make room/,
    ],
    [
      'that asks for both of two',
      {
        place: [
          { thing: 'jar', is: 'near', of: 'floor_cube', within_m: 0.3 },
          { thing: 'jar', is: 'clear_of', of: 'floor_cube', least_m: 2 },
        ],
      },
      /^variation\.place\[[01]\] could not be met/,
    ],
    ['of another name', { shuffle: [] }, /^variation has the unknown property "shuffle"; it takes count, choose/],
  ])('a variation %s is rejected with the part that fails', (_, variation, sentence) => {
    expect(reported(variation)).toMatch(sentence);
  });

  it('a variation may put things into containers', () => {
    const read = readSceneFile({ ...kitchen(), variation: { place: [{ thing: 'can', is: 'in', of: 'basket' }] } });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    for (let seed = 2; seed < 40; seed += 1) {
      const things = thingsAtStart(read.definition, seed);
      expect(faultsOf(read.definition, things)).toEqual([]);
      const [can, basket] = ['can', 'basket'].map((id) => things.find((thing) => thing.id === id)?.position ?? [0, 0, 0]);
      expect(Math.abs((can?.[0] ?? 0) - (basket?.[0] ?? 9))).toBeLessThan(0.17);
      expect(can?.[2]).toBeCloseTo(0.45 + 0.015 + 0.06, 6);
    }
  });
});
