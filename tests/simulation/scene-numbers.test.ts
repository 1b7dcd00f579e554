import { describe, expect, it } from 'vitest';
import { ROBOT_IDS } from '../../src/protocol/wire/robot.ts';
import { CUBE_EDGE_M } from '../../src/protocol/wire/scene.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { CUBE_CATEGORY, CUBE_SHAPE } from '../../src/protocol/wire/thing-shape.ts';
import { robotById } from '../../src/simulation/robots.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import type { SceneDefinition } from '../../src/simulation/scene-definition.ts';
import { CARRIED_UNDERSIDE_M, mistakesIn } from './scene-numbers-judge.ts';

describe('the numbers of a scene', () => {
  it.each(SCENE_IDS)('the numbers of %s are valid', (id) => {
    const scene = builtInScene(id);
    expect(scene && mistakesIn(scene)).toEqual([]);
  });

  type Place = SceneDefinition['layout']['obstacles'][number]['pose']['position'];
  const thing = (position: Place): SceneDefinition['things'][number] => ({
    category: CUBE_CATEGORY,
    shape: CUBE_SHAPE,
    colour: 'red',
    position,
  });
  const withThing = (hall: SceneDefinition, ...positions: Place[]): Partial<SceneDefinition> => ({
    things: [...hall.things, ...positions.map(thing)],
  });
  type Shape = SceneDefinition['things'][number]['shape'];
  const withShape = (hall: SceneDefinition, shape: Shape, position: Place): Partial<SceneDefinition> => ({
    things: [...hall.things, { ...thing(position), category: 'other', shape }],
  });
  /** An open basket of 0.4 m in the middle of the hall, its floor 1.5 cm thick, and a cup. */
  const withBasket = (hall: SceneDefinition, cup: Place): Partial<SceneDefinition> => ({
    things: [
      ...hall.things,
      { ...thing([0, 0, 0.1]), category: 'basket', shape: { kind: 'container', size: [0.4, 0.4, 0.2], wallM: 0.015 } },
      { ...thing(cup), category: 'cup', shape: { kind: 'cylinder', radiusM: 0.04, heightM: 0.1 } },
    ],
  });
  const withCamera = (hall: SceneDefinition, change: Partial<SceneDefinition['cameras'][number]>): Partial<SceneDefinition> => ({
    cameras: hall.cameras.map((camera, index) => (index === 0 ? { ...camera, ...change } : camera)),
  });
  const withLayout = (hall: SceneDefinition, change: Partial<SceneDefinition['layout']>): Partial<SceneDefinition> => ({
    layout: { ...hall.layout, ...change },
  });

  /** The hall with a table and its pad at another height. */
  const higher = (hall: SceneDefinition, boxId: string, padId: string, heightM: number): Partial<SceneDefinition> => {
    const raised = <T extends Place>([x, y, z]: T): Place => [x, y, z + heightM - 0.6];
    const { obstacles, pads, slots } = hall.layout;
    return withLayout(hall, {
      obstacles: obstacles.map((box) => {
        if (box.obstacle_id !== boxId) return box;
        const [x, y] = box.pose.position;
        return { ...box, pose: { ...box.pose, position: [x, y, heightM / 2] }, size: [box.size[0], box.size[1], heightM] };
      }),
      pads: pads.map((pad) => (pad.pad_id === padId ? { ...pad, position: raised(pad.position) } : pad)),
      slots: slots.map((slot) => (slot.pad_id === padId ? { ...slot, position: raised(slot.position) } : slot)),
    });
  };

  it('the numbers are judged by the height at which robots carry', () => {
    const undersidesM = ROBOT_IDS.map((id) => robotById(id).carried.heightM - CUBE_EDGE_M / 2);
    expect(Math.min(...undersidesM)).toBeCloseTo(CARRIED_UNDERSIDE_M, 9);
  });

  it('the numbers may place a cup in a basket, a thing on another, and a turned box beside a table', () => {
    const hall = builtInScene('hall');
    if (!hall) throw new Error('There is no hall.');
    const beside = {
      ...thing([1.35, 1.5, 0.05]),
      category: 'book',
      shape: { kind: 'box', size: [0.3, 0.05, 0.1] },
      yawRad: Math.PI / 2,
    } as const;
    const onTop = { ...thing([0, 1.6, 0.2]), category: 'can', shape: { kind: 'cylinder', radiusM: 0.04, heightM: 0.1 } } as const;
    expect(mistakesIn({ ...hall, ...withBasket(hall, [0, 0, 0.065]) })).toEqual([]);
    expect(mistakesIn({ ...hall, things: [...hall.things, beside] })).toEqual([]);
    expect(mistakesIn({ ...hall, things: [...hall.things, thing([0, 1.6, 0.075]), onTop] })).toEqual([]);
  });

  it.each<[string, (hall: SceneDefinition) => Partial<SceneDefinition>, RegExp]>([
    ['a cube in a wall', (hall) => withThing(hall, [4, 0, 0.075]), /thing 6 .*outside|thing 6 is inside wall_east/],
    ['a cube in a table', (hall) => withThing(hall, [1.7, 0, 0.5]), /thing 6 is inside table_2/],
    ['a cube in the air', (hall) => withThing(hall, [0, 0, 1]), /thing 6 rests on nothing/],
    ['two cubes in one place', (hall) => withThing(hall, [0, 0, 0.075], [0.05, 0, 0.075]), /things 6 and 7 are in one place/],
    [
      'a cylinder in a table, beside its top',
      (hall) => withShape(hall, { kind: 'cylinder', radiusM: 0.1, heightM: 0.3 }, [1.4, 0, 0.15]),
      /thing 6 is inside table_2/,
    ],
    [
      'a long box that reaches into a wall',
      (hall) => withShape(hall, { kind: 'box', size: [0.4, 0.05, 0.1] }, [3.9, 0, 0.05]),
      /thing 6 (lies outside the bounds|is inside wall_east)/,
    ],
    [
      'a cylinder so high that what is carried sweeps it off its pad',
      (hall) => withShape(hall, { kind: 'cylinder', radiusM: 0.04, heightM: 0.25 }, [1.7, 0, 0.725]),
      /thing 6 on pad_2 ends at 0\.850 m/,
    ],
    ['a cup in the wall of its basket', (hall) => withBasket(hall, [0.19, 0, 0.065]), /things 6 and 7 are in one place/],
    ['a cup over the floor of its basket', (hall) => withBasket(hall, [0, 0, 0.165]), /thing 7 rests on nothing/],
    [
      'a number that is not finite',
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
    [
      'a table so high that carried cubes sweep over it',
      (hall) => higher(hall, 'table_1', 'pad_1', 0.7),
      /a cube on pad_1 ends at 0\.850 m; carried cubes sweep away what is higher than 0\.815 m/,
    ],
    ['a robot that starts in a table', () => ({ spawn: { x: 1.7, y: 0, yawRad: 0 } }), /the robot starts inside table_2/],
    ['a spawn that clients do not receive', () => ({ spawn: { x: 0, y: 0, yawRad: 0 } }), /told another spawn/],
  ])('the judge names the fault: %s', (_, change, sentence) => {
    const hall = builtInScene('hall');
    if (!hall) throw new Error('There is no hall.');
    expect(mistakesIn({ ...hall, ...change(hall) }).join('\n')).toMatch(sentence);
  });
});
