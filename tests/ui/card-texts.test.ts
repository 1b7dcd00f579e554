import { describe, expect, test } from 'vitest';
import { runtimeError } from '../../src/protocol/wire/error-codes.ts';
import type { EntityState, SceneState } from '../../src/protocol/wire/scene.ts';
import { SKILLS } from '../../src/protocol/wire/skills.ts';
import { cardActions, entitySubject, floorSubject } from '../../src/viewer/ui/world/things/card-texts.ts';
import { problemOf } from '../../src/viewer/ui/world/things/use-skill-steps.ts';
import { SAMPLE_LAYOUT } from '../stage/helpers/sample-world.ts';

const entity = (entity_id: string, kind: EntityState['kind'], position: [number, number, number], more = {}): EntityState => ({
  entity_id,
  kind,
  pose: { frame_id: 'world', position, yaw_deg: 0 },
  visible: true,
  attached_to: null,
  state: {},
  ...more,
});
const SCENE: SceneState = {
  timestamp: { step: 1, sim_time_s: 0, wall_time_ms: 0 },
  entities: {
    robot: entity('robot', 'robot', [0.4, -1.5, 0.62]),
    cube_0: entity('cube_0', 'cube', [1.4, -1.8, 0.65], { state: { color: 'blue', parent_pad_id: 'pad_A' } }),
    cube_1: entity('cube_1', 'cube', [1.4, 1.8, 0.65], { attached_to: 'robot', state: { color: 'red', parent_pad_id: null } }),
    cube_2: entity('cube_2', 'cube', [-1.3, -5.4, 0.195], {
      visible: false,
      state: { color: 'red', parent_pad_id: 'pad_B', collected: true },
    }),
    pad_A: entity('pad_A', 'pad', [1.4, 0, 0.575]),
    pad_B: entity('pad_B', 'pad', [-1.4, -5.5, 0.12], { state: { color: 'red' } }),
    pad_C: entity('pad_C', 'pad', [0.4, -2.4, 0.12], { state: { color: 'green' } }),
  },
};
const ROBOT = { name: 'Ada', doing: 'Walking to pad_B', hands: 'hands' };
const subject = (id: string) => {
  const found = entitySubject(id, SCENE, SAMPLE_LAYOUT, ROBOT);
  if (!found) throw new Error(`There is no ${id}`);
  return found;
};
const actionsFor = (id: string, held: string | null) => cardActions(subject(id), SCENE, SAMPLE_LAYOUT, held);

describe('a card describes its object', () => {
  test.each([
    ['cube_0', 'Blue cube', ['Where', 'on pad_A']],
    ['cube_1', 'Red cube', ['Where', 'in the robot’s hands']],
    ['cube_2', 'Red cube', ['Where', 'delivered to pad_B, and collected']],
    ['pad_A', 'Belt that brings cubes', ['On it', '1 cube']],
    ['pad_B', 'Pad for red cubes', ['On it', 'nothing']],
    ['robot', 'Ada', ['State', 'Walking to pad_B']],
    ['rack_6', 'Rack', ['Size', '2.40 × 0.60 × 2.20 m']],
  ])('the card of %s describes what it is', (id, title, fact) => {
    expect(subject(id).title).toBe(title);
    expect(subject(id).facts).toContainEqual(fact);
  });

  test('the card of a held cube names what holds it, in the words of the robot', () => {
    const facts = entitySubject('cube_1', SCENE, SAMPLE_LAYOUT, { ...ROBOT, hands: 'fingers' })?.facts;
    expect(facts).toContainEqual(['Where', 'in the robot’s fingers']);
  });

  test('a card shows the distance on the floor, and the pose as the runtime reports it', () => {
    expect(subject('cube_0').facts).toContainEqual(['From the robot', '1.04 m']);
    expect(subject('cube_0').pose).toEqual(SCENE.entities.cube_0?.pose);
    expect(floorSubject([1.23456, -2], SCENE).pose).toEqual({ frame_id: 'world', position: [1.235, -2, 0] });
  });

  test('the card of a collected cube shows where it lay, and offers nothing', () => {
    expect(subject('cube_2').facts.map(([label]) => label)).toEqual(['Where', 'It lay at']);
    expect(actionsFor('cube_2', null)).toEqual([]);
    expect(actionsFor('cube_2', 'cube_1')).toEqual([]);
  });

  test('an entity that is gone has no card', () => expect(entitySubject('cube_77', SCENE, SAMPLE_LAYOUT, ROBOT)).toBeNull());
});

describe('the actions of a card', () => {
  const labels = (id: string, held: string | null) => actionsFor(id, held).map(({ label }) => label);

  test('a card offers actions for empty and for full hands', () => {
    expect(labels('cube_0', null)).toEqual(['Pick it up', 'Send the robot there', 'Look at it']);
    expect(labels('cube_0', 'cube_1')).toEqual(['Send the robot there', 'Look at it']);
    expect(labels('pad_B', 'cube_1')).toEqual(['Put cube_1 here', 'Send the robot there', 'Look at it']);
    expect(labels('pad_B', null)).toEqual(['Send the robot there', 'Look at it']);
    expect(labels('rack_6', null)).toEqual(['Look at it']);
  });

  test('a card offers to walk first to an object that is out of reach', () => {
    const names = (id: string, held: string | null) => actionsFor(id, held)[0]?.steps.map(({ name }) => name);
    expect(names('cube_0', null)).toEqual(['pick_entity']);
    expect(names('pad_B', 'cube_1')).toEqual(['go_to', 'place_entity']);
  });

  test('a card offers to put the held cube onto the pad of its colour, and onto the nearest pad with a free slot', () => {
    const [own, nearest, ...more] = actionsFor('cube_1', 'cube_1');
    const onto = (entity_id: string) => ({ target: { kind: 'entity', entity_id } });
    expect(own).toMatchObject({
      label: 'Put it on pad_B (red)',
      steps: [
        { name: 'go_to', input: onto('pad_B') },
        { name: 'place_entity', input: onto('pad_B') },
      ],
    });
    expect(nearest).toMatchObject({
      label: 'Put it on pad_C (green, the nearest)',
      steps: [{ name: 'place_entity', input: onto('pad_C') }],
    });
    expect(more).toEqual([]);
  });

  test('a card offers only calls that the skills accept', () => {
    const all = [
      ...Object.keys(SCENE.entities).flatMap((id) => [...actionsFor(id, null), ...actionsFor(id, 'cube_1')]),
      ...actionsFor('rack_6', null),
      ...cardActions(floorSubject([1, 1], SCENE), SCENE, SAMPLE_LAYOUT, null),
    ];
    for (const { name, input } of all.flatMap(({ steps }) => steps))
      expect(SKILLS[name].input.safeParse(input).error, `${name} ${JSON.stringify(input)}`).toBeUndefined();
  });
});

test('a completed action shows no problem, and any other answer shows a sentence with a remedy', () => {
  expect(problemOf({ status: 'done', result: {} })).toBeNull();
  const error = runtimeError('OUT_OF_REACH', 'cube_0 is 2.4 m away.', { hint: 'Walk nearer first.' });
  const refused = { tone: 'calm', text: 'Refused: cube_0 is 2.4 m away.', hint: 'Walk nearer first.' };
  expect(problemOf({ status: 'failed', error })).toEqual(refused);
  const missed = runtimeError('GRASP_MISSED', 'It slipped.', { attempted: true });
  expect(problemOf({ status: 'failed', error: missed })).toMatchObject({ tone: 'bad', text: 'Failed: It slipped.' });
  expect(problemOf('nonsense')?.text).toMatch(/no answer/);
});
