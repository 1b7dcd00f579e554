import { describe, expect, it } from 'vitest';
import { SCENE_LIMITS } from '../../src/protocol/files/scene-limits.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { Scenes } from '../../src/simulation/scene.ts';
import { readSceneFile } from '../../src/simulation/scene-file/read.ts';
import { createChance } from '../oracle/chance.ts';
import { mutations } from './scene-mutations.ts';
import { type File, hall, type Item, problemsOf, textOf, warehouse } from './scene-problems.ts';

const set = (item: Item | undefined, change: Item): void => {
  Object.assign(item ?? {}, change);
};

/** On a wall of the hall, a metre above its floor. */
const WINDOW = { wall: 'north', at_m: 0, z_m: 1, size: [0.6, 0.6] };

describe('a scene file', () => {
  it.each<[string, (file: File) => void, RegExp]>([
    ['of another format', (file) => set(file, { format: 'simplesim.scene/2' }), /^format must be "simplesim.scene\/1"; it is/],
    [
      'with an unknown property',
      (file) => set(file.pads[1], { colour: 'red' }),
      /^pads\[1\] has the unknown property "colour"; it takes id, position, .*color/,
    ],
    [
      'with several unknown properties of its own, each named once',
      (file) => set(file, { titel: 'x', lok: 'home' }),
      /^ has the unknown properties "titel", "lok"; it takes \$schema, format, /,
    ],
    [
      'without what must be there',
      (file) => set(file.obstacles[0], { size: undefined }),
      /^obstacles\[0\]\.size must be a list of 3 values; it is missing/,
    ],
    [
      'with a number out of range',
      (file) => set(file.obstacles[1], { position: [1, 99, 0] }),
      /^obstacles\[1\]\.position\[1\] must be a number from -50 to 50; it is 99/,
    ],
    [
      'with an invalid id',
      (file) => set(file.pads[0], { id: 'pad 1' }),
      /^pads\[0\]\.id must be an id: a letter.*; it is "pad 1"/,
    ],
    [
      'with an id twice',
      (file) => set(file.pads[1], { id: 'table_1' }),
      /^pads\[1\]\.id must be an id that nothing else has; obstacles\[0\]\.id has it/,
    ],
    [
      'with the id of a wall',
      (file) => set(file.obstacles[0], { id: 'wall_north' }),
      /^obstacles\[0\]\.id .*a wall of the room has it/,
    ],
    [
      'with the id of a cube to come',
      (file) => set(file.obstacles[0], { id: 'cube_7' }),
      /^obstacles\[0\]\.id .*cubes get ids of this form/,
    ],
    [
      'that names no pad',
      (file) => set(file.obstacles[0], { pad_id: 'pad_9' }),
      /^obstacles\[0\]\.pad_id must name a pad of this scene; there are pad_1, pad_2, pad_3/,
    ],
    [
      'with a table without pad',
      (file) => set(file.obstacles[0], { pad_id: undefined }),
      /^obstacles\[0\]\.pad_id is missing; table needs it/,
    ],
    [
      'with a look for a wall',
      (file) => set(file.obstacles[0], { kind: 'wall', pad_id: undefined, look: 'sofa' }),
      /^obstacles\[0\]\.look must be one of .*"seat".*; it is "sofa"/,
    ],
    [
      'with paint on a box without look',
      (file) => set(file.obstacles[0], { paint: 'sage' }),
      /^obstacles\[0\]\.paint needs a look beside it/,
    ],
    [
      'with a window in a hall',
      (file) => set(file, { decor: [{ ...WINDOW, kind: 'window' }] }),
      /^decor\[0\]\.kind needs "look": "home", which draws each window/,
    ],
    [
      'with a picture beside its wall',
      (file) => set(file, { look: 'home', decor: [{ ...WINDOW, kind: 'picture', at_m: 30 }] }),
      /^decor\[0\]\.at_m and size must lie on the wall/,
    ],
    [
      'with a cabinet that a robot would strike',
      (file) => set(file, { look: 'home', decor: [{ ...WINDOW, kind: 'cabinet' }] }),
      /^decor\[0\]\.z_m must let a cabinet hang from 1\.4 m upwards/,
    ],
    [
      'with a rug out of the room',
      (file) => set(file, { decor: [{ kind: 'rug', position: [40, 0], size: [1, 1] }] }),
      /^decor\[0\]\.position and size must lie in the room/,
    ],
    [
      'with a letter on a table',
      (file) => set(file.obstacles[0], { letter: 'T' }),
      /^obstacles\[0\]\.letter means nothing for table/,
    ],
    [
      'with two tables for a pad',
      (file) => set(file.obstacles[1], { pad_id: 'pad_1' }),
      /^obstacles\[1\]\.pad_id must name a pad that nothing else carries; table_1 does/,
    ],
    [
      'with a pad in the air',
      (file) => set(file.pads[0], { position: [-1.7, 0, 0.5] }),
      /^pads\[0\]\.position\[2\] must be 0\.6 m, the top of table_1; it is 0\.5/,
    ],
    [
      'with a pad too high to carry over',
      (file) => set(file.pads[2], { layers: 2, position: [0, 1.6, 0.66] }),
      /pads\[2\]\.layers must leave what lies there below 0\.815 m/,
    ],
    [
      'with a pad wider than its table',
      (file) => set(file.pads[0], { size: [0.6, 2.4, 0.6] }),
      /^pads\[0\]\.size must not reach beyond table_1/,
    ],
    [
      'with a slot beside its pad',
      (file) => set(file.pads[2], { slots: [[0, 2.5]] }),
      /^pads\[2\]\.slots\[0\] must be on the pad/,
    ],
    [
      'with slots too near',
      (file) =>
        set(file.pads[2], {
          slots: [
            [0, 1.6],
            [0.1, 1.6],
          ],
        }),
      /^pads\[2\]\.slots\[1\] must be 0\.16 m from slots\[0\]/,
    ],
    [
      'with a cube in the air',
      (file) => set(file.things[0], { position: [-1.7, -1, 0.9] }),
      /^things\[0\]\.position\[2\] must be such that it rests on something: 0\.675 m/,
    ],
    [
      'with a cube in a table',
      (file) => set(file.things[0], { position: [-1.7, -1, 0.5] }),
      /^things\[0\]\.position must be where nothing else is; it is in table_1/,
    ],
    [
      'with two cubes in one place',
      (file) => set(file.things[1], { position: [-1.7, -0.9, 0.675] }),
      /^things\[1\]\.position must be where nothing else is; it is in things\[0\]/,
    ],
    [
      'with a cube outside',
      (file) => set(file.things[0], { position: [-3.95, 0, 0.075] }),
      /^things\[0\]\.position must be in the room/,
    ],
    [
      'with a spawn in a table',
      (file) => set(file, { spawn: { position: [1.7, 0] } }),
      /^spawn\.position must be a place where a robot of 0\.2\d? m radius stands free; table_2 is there/,
    ],
    [
      'with a camera in a table',
      (file) => set(file.cameras[0], { position: [1.7, 0, 0.3] }),
      /^cameras\[0\]\.position must be where nothing stands; it is in table_2/,
    ],
    [
      'with a camera that looks nowhere',
      (file) => set(file.cameras[1], { look_at: undefined }),
      /^cameras\[1\]\.look_at or orientation_xyzw must be there/,
    ],
    [
      'with a camera of the head’s name',
      (file) => set(file.cameras[0], { id: 'pov' }),
      /^cameras\[0\]\.id .*the camera in the head has it/,
    ],
    [
      'with a region that crosses itself',
      (file) =>
        set(file, {
          regions: [
            {
              id: 'eight',
              title: 'Eight',
              polygon: [
                [0, 0],
                [1, 1],
                [1, 0],
                [0, 1],
              ],
            },
          ],
        }),
      /^regions\[0\]\.polygon\[0\] begins a side that meets another one/,
    ],
    [
      'with a region outside',
      (file) =>
        set(file, {
          regions: [
            {
              id: 'out',
              title: 'Out',
              polygon: [
                [0, 0],
                [9, 1],
                [1, 0],
              ],
            },
          ],
        }),
      /^regions\[0\]\.polygon\[1\] must be in the room/,
    ],
    [
      'with bounds the wrong way round',
      (file) => set(file, { bounds: { min: [4, -3.8, 0], max: [-4, 3.8, 3.2] } }),
      /^bounds\.max\[0\] must be at least 1 m more/,
    ],
    [
      'with too many cubes',
      (file) => set(file, { things: Array.from({ length: 41 }, () => file.things[0]) }),
      /^things must be a list of 0 to 40 values; it is a list of 41/,
    ],
  ])('a file %s is rejected with the path and what would be right', (_, change, sentence) => {
    const file = hall();
    change(file);
    expect(problemsOf(file).join('\n')).toMatch(sentence);
  });

  it.each<[string, (file: File) => void, RegExp]>([
    [
      'of a belt that is elsewhere',
      (file) => set(file.fixtures[0], { centre_x: 1.3 }),
      /^fixtures\[0\]\.centre_x must be 1\.4, as belt is; it is 1\.3/,
    ],
    [
      'without a hood',
      (file) => set(file.fixtures[0], { hood_id: 'belt' }),
      /^fixtures\[0\]\.hood_id must name an obstacle of kind infeed/,
    ],
    [
      'with more cubes than slots',
      (file) => set(file.fixtures[0], { start_colors: Array.from({ length: 8 }, () => 'red') }),
      /^fixtures\[0\]\.start_colors must be at most 7/,
    ],
    [
      'that lets cubes in on the last slot',
      (file) => set(file.fixtures[0], { infeed_y: 1.9 }),
      /^fixtures\[0\]\.infeed_y must be at least 0\.3 m beyond the last slot, 2\.1/,
    ],
  ])('a file with a conveyor %s is rejected', (_, change, sentence) => {
    const file = warehouse();
    change(file);
    expect(problemsOf(file).join('\n')).toMatch(sentence);
  });

  it.each<[string, string, RegExp]>([
    ['nothing', '', /^ is not JSON/],
    ['no JSON', '{"format": ', /^ is not JSON/],
    ['an invalid number', '{"format": NaN}', /^ is not JSON/],
    ['a list', '[]', /^ must be an object; it is a list of 0/],
    [
      'one property twice',
      '{"title": "a", "spawn": {"position": [0, 1], "position": [0, 2]}}',
      /^spawn\.position is there twice/,
    ],
    ['one property twice, written otherwise', '{"title": "a", "t\\u0069tle": "b"}', /^title is there twice/],
    ['the name of the prototype', '{"pads": [{"__proto__": {}}]}', /^pads\[0\]\.__proto__ is not a property/],
    ['too many levels', '['.repeat(100_000), /nested deeper than 12 levels/],
    ['too much', `"${'x'.repeat(10_000_000)}"`, new RegExp(`^ is larger than ${SCENE_LIMITS.bytes} bytes`)],
    ['too many values', `[${'0,'.repeat(30_000)}0]`, /^ has more than 20000 values/],
    [
      'a number beyond all',
      textOf('hall').replace('-1.7, -1, 0.675', '1e999, -1, 0.675'),
      /^things\[0\]\.position\[0\] must be a number from -50 to 50; it is Infinity/,
    ],
  ])('a file whose text is %s is rejected', (_, text, sentence) => {
    expect(problemsOf(text).join('\n')).toMatch(sentence);
  });

  it.each([
    undefined,
    null,
    1n,
    Symbol('s'),
    () => 0,
    Object.assign([], {
      toJSON: () => {
        throw new Error('no');
      },
    }),
  ])('a value that is %s is rejected without an exception', (value) => {
    expect(problemsOf(value)).not.toEqual([]);
  });

  it('a file whose layout exceeds one reply is rejected', () => {
    const file = hall();
    file.obstacles.push(
      ...Array.from(
        { length: 118 },
        (_, index): Item => ({ id: `a_rather_long_name_of_a_box_${index}`, position: [3.7, 3.5, 0.05], size: [0.1, 0.1, 0.1] }),
      ),
    );
    expect(problemsOf(file).join('\n')).toMatch(/^obstacles with pads and regions make a layout of \d+ bytes, and at most 14500/);
  });

  it('an invalid file is rejected with a path and without an exception, however it is spoilt', () => {
    for (const id of SCENE_IDS) {
      const chance = createChance(SCENE_IDS.indexOf(id) + 1);
      const good = textOf(id);
      let refusedCount = 0;
      for (const { text, what } of mutations(good, 400, chance)) {
        const read = readSceneFile(text);
        if (read.ok) {
          // An accepted file is complete: a second reading gives the same.
          expect(readSceneFile(text), what).toEqual(read);
          continue;
        }
        refusedCount += 1;
        expect(read.problems.length, what).toBeGreaterThan(0);
        for (const { path, reason } of read.problems) {
          expect(typeof path, what).toBe('string');
          expect(reason, what).toMatch(/^\S.*\.$/s);
          expect(reason.length, what).toBeLessThan(700);
        }
      }
      expect(refusedCount).toBeGreaterThan(250);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('a scene from outside', () => {
  const own = (title: string, id = 'own') => {
    const read = readSceneFile({ ...hall(), scene_id: id, title });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return read.definition;
  };

  it('a scene from outside is found under its id once it is added, and is replaced by the next one of that id', () => {
    const scenes = new Scenes();
    expect(scenes.byId('own')).toBeNull();
    expect(scenes.add(own('First'))).toBe(true);
    expect(scenes.byId('own')?.title).toBe('First');
    expect(scenes.add(own('Second'))).toBe(true);
    expect(scenes.byId('own')?.title).toBe('Second');
    expect(scenes.ids()).toEqual([...SCENE_IDS, 'own']);
  });

  it('a scene from outside is forgotten when sixteen newer ones exist', () => {
    const scenes = new Scenes();
    for (let number = 0; number < 20; number += 1) scenes.add(own('One', `own_${number}`));
    expect(scenes.byId('own_3')).toBeNull();
    expect(scenes.ids()).toHaveLength(SCENE_IDS.length + 16);
  });

  it('a scene from outside never replaces one of the product', () => {
    const scenes = new Scenes();
    const read = readSceneFile({ ...hall(), title: 'Another hall' });
    expect(read.ok && scenes.add(read.definition)).toBe(false);
    expect(scenes.byId('hall')?.title).toBe('Hall');
  });
});
