import { describe, expect, it } from 'vitest';
import { SCENE_IDS } from '../../src/protocol/scene-ids.ts';
import { sceneById } from '../../src/simulation/scene.ts';
import type { SceneDefinition } from '../../src/simulation/scene-definition.ts';
import { createHall } from '../../src/simulation/scenes/hall/hall.ts';
import { mistakesIn } from './scene-numbers-judge.ts';

describe('the numbers of a scene', () => {
  it.each(SCENE_IDS)('of %s are right', (id) => {
    const scene = sceneById(id);
    expect(scene && mistakesIn(scene)).toEqual([]);
  });

  type Place = SceneDefinition['layout']['obstacles'][number]['pose']['position'];
  const thing = (position: Place): SceneDefinition['things'][number] => ({ colour: 'red', position });
  const withThing = (hall: SceneDefinition, ...positions: Place[]): Partial<SceneDefinition> => ({
    things: [...hall.things, ...positions.map(thing)],
  });
  const withCamera = (hall: SceneDefinition, change: Partial<SceneDefinition['cameras'][number]>): Partial<SceneDefinition> => ({
    cameras: hall.cameras.map((camera, index) => (index === 0 ? { ...camera, ...change } : camera)),
  });
  const withLayout = (hall: SceneDefinition, change: Partial<SceneDefinition['layout']>): Partial<SceneDefinition> => ({
    layout: { ...hall.layout, ...change },
  });

  it.each<[string, (hall: SceneDefinition) => Partial<SceneDefinition>, RegExp]>([
    ['a cube in a wall', (hall) => withThing(hall, [4, 0, 0.075]), /thing 6 .*outside|thing 6 is inside wall_east/],
    ['a cube in a table', (hall) => withThing(hall, [1.7, 0, 0.5]), /thing 6 is inside table_2/],
    ['a cube in the air', (hall) => withThing(hall, [0, 0, 1]), /thing 6 rests on nothing/],
    ['two cubes in one place', (hall) => withThing(hall, [0, 0, 0.075], [0.05, 0, 0.075]), /things 6 and 7 are in one place/],
    [
      'a number that is none',
      (hall) => withThing(hall, [Number.NaN, 0, 0.075]),
      /scene\.things\.6\.position\.0 is not a finite number/,
    ],
    ['a camera in a table', (hall) => withCamera(hall, { position: [1.7, 0, 0.3] }), /camera topdown is inside table_2/],
    ['a camera below the floor', (hall) => withCamera(hall, { position: [0, 0, -1] }), /camera topdown hangs below the floor/],
    ['a camera that takes the name of the head’s', (hall) => withCamera(hall, { id: 'pov' }), /pov is there twice/],
    [
      'a camera turned by no rotation',
      (hall) => withCamera(hall, { orientation: [1, 1, 0, 0] }),
      /topdown has no unit quaternion/,
    ],
    ['a camera that sees nothing', (hall) => withCamera(hall, { verticalFovDeg: 0 }), /topdown sees 0 degrees/],
    [
      'furniture without a box',
      (hall) => ({ furniture: [...hall.furniture, { id: 'rack_9', kind: 'rack' }] }),
      /furniture names rack_9, which there is not/,
    ],
    [
      'a table for a pad that is not there',
      (hall) => withLayout(hall, { pads: hall.layout.pads.slice(1) }),
      /table_1 names pad_1/,
    ],
    [
      'a table higher than its pad',
      (hall) =>
        withLayout(hall, {
          obstacles: hall.layout.obstacles.map((box) => (box.obstacle_id === 'table_1' ? { ...box, size: [0.5, 2.4, 3] } : box)),
        }),
      /pad_1 is at 0\.6 m, and what carries it ends at 1\.8 m/,
    ],
    ['a robot that starts in a table', () => ({ spawn: { x: 1.7, y: 0, yawRad: 0 } }), /the robot starts inside table_2/],
    ['a spawn that clients are not told', () => ({ spawn: { x: 0, y: 0, yawRad: 0 } }), /told another spawn/],
  ])('name the mistake: %s', (_, change, sentence) => {
    const hall = createHall();
    expect(mistakesIn({ ...hall, ...change(hall) }).join('\n')).toMatch(sentence);
  });
});
