import { describe, expect, it } from 'vitest';
import type { ThingShape } from '../../src/protocol/wire/thing-shape.ts';
import { stateHash } from '../../src/simulation/world.ts';
import { box, container, cubeAt, cylinder, standing, TABLE_M } from '../simulation/things-scene.ts';
import { type Put, play, runtimeWith } from './handling.ts';
import { entity } from './test-runtime.ts';

const bin = () => standing('bin', container(0.42, 0.42, 0.15), [1.65, 0.85], { onM: TABLE_M, massKg: 1.5 });
const plate = () => standing('plate', box(0.3, 0.3, 0.1), [1.7, -0.75], { onM: TABLE_M, massKg: 2 });
const beside = () => cubeAt(1.7, -0.3, TABLE_M);

const SHAPES: readonly [string, ThingShape, number][] = [
  ['a box of 0.1 m', box(0.1, 0.1, 0.1), 0.3],
  ['a tall box', box(0.08, 0.08, 0.3), 0.4],
  ['a can', cylinder(0.035, 0.12), 0.35],
  ['a drum', cylinder(0.1, 0.25), 2],
  ['a bin', container(0.22, 0.22, 0.2), 0.8],
];
const PUTS: readonly [string, Put][] = [
  ['into a slot', { kind: 'slot', padId: 'pad_2', index: 3 }],
  ['on the floor', { kind: 'floor', x: 0.3, y: 1.6 }],
  ['into a container', { kind: 'in', entityId: 'bin' }],
  ['on top of a box', { kind: 'on', entityId: 'plate' }],
];

describe.each(['humanoid', 'picker'] as const)('P1 P2 the %s takes a thing by its sides and puts it down', (robotId) => {
  const rounds = SHAPES.flatMap(([name, shape, massKg]) =>
    PUTS.map(([text, put], index): [string, ThingShape, number, Put, boolean] => [
      `${name} ${text}`,
      shape,
      massKg,
      put,
      index % 2 === 0,
    ]),
  );
  it.each(rounds)('%s', async (_name, shape, massKg, put, isHigh) => {
    const it = isHigh
      ? standing('it', shape, [-1.62, 0.2], { onM: TABLE_M, massKg, yawRad: 0.2 })
      : standing('it', shape, [0, -0.2], { massKg, yawRad: 0.2 });
    const { picked, placed, lies } = await play({ robotId, things: [it, bin(), plate(), beside()], take: 'it', put });
    expect([picked.error ?? picked.status, placed?.error ?? placed?.status, lies]).toEqual(['done', 'done', []]);
    expect(placed?.result.placed_on_thing).toBe('entityId' in put ? put.entityId : undefined);
  });
});

describe('P1 flat things, with the least heights of docs/reference/skills.md', () => {
  it.each([
    ['humanoid', 0.06, 0.07],
    ['humanoid', 0.1, 0.05],
    ['humanoid', 0.15, 0.04],
    ['humanoid', 0.2, 0.03],
    ['humanoid', 0.3, 0.02],
    ['picker', 0.06, 0.03],
    ['picker', 0.2, 0.03],
  ] as const)('the %s takes a thing from the floor that is %f m wide and %f m high', async (robotId, widthM, heightM) => {
    const t = await runtimeWith(robotId, [standing('flat', box(widthM, widthM, heightM), [0, -0.6], { massKg: 0.3 })]);
    t.advance(60);
    expect(t.invoke('pick_entity', entity('flat')).error).toBeUndefined();
  });

  it('the humanoid takes a thing from a table that is as flat as a thing may be', async () => {
    const flat = standing('flat', box(0.06, 0.06, 0.02), [-1.62, 0.2], { onM: TABLE_M, massKg: 0.1 });
    const t = await runtimeWith('humanoid', [flat]);
    t.advance(60);
    t.invoke('go_to', entity('flat'));
    expect(t.invoke('pick_entity', entity('flat')).error).toBeUndefined();
  });
});

describe('things that the hands cannot hold', () => {
  it.each([
    ['too wide', box(0.5, 0.5, 0.2), 1, /wide/],
    ['too narrow', box(0.03, 0.03, 0.2), 0.1, /wide/],
    ['too high', box(0.2, 0.2, 0.6), 1, /high/],
    ['too heavy', box(0.2, 0.2, 0.2), 8, /kg/],
  ])(
    'a thing that the hands cannot hold is rejected before any motion, with the limits: %s',
    async (_name, shape, massKg, says) => {
      const t = await runtimeWith('humanoid', [standing('it', shape, [0, -0.6], { massKg })]);
      t.advance(60);
      const reply = t.invoke('pick_entity', entity('it'));
      expect(reply.error).toMatchObject({ code: 'NOT_GRASPABLE', details: { attempted: false, world_changed: 'no' } });
      expect(reply.error.message).toMatch(says);
      expect(reply.error.details.allowed).toMatchObject({ width_m: { minimum: 0.06, maximum: 0.32 } });
    },
  );

  it.each([
    ['humanoid', 0.2, 0.02, 0.03],
    ['humanoid', 0.06, 0.04, 0.07],
    ['picker', 0.2, 0.02, 0.03],
  ] as const)(
    'a flat thing is rejected with the least height for its place: the %s, %f m wide, %f m high',
    async (robotId, widthM, heightM, leastM) => {
      const t = await runtimeWith(robotId, [standing('flat', box(widthM, widthM, heightM), [0, -0.6], { massKg: 0.3 })]);
      t.advance(60);
      const { error } = t.invoke('pick_entity', entity('flat'));
      expect(error).toMatchObject({ code: 'NOT_GRASPABLE', details: { world_changed: 'no', retryable: false } });
      expect(error.message).toMatch(/high at least/);
      expect(error.details.allowed.height_m.minimum).toBeCloseTo(leastM, 9);
    },
  );

  it('a container is rejected with its content if both are too heavy together', async () => {
    const things = [
      standing('bin', container(0.3, 0.3, 0.2), [0, -0.5], { massKg: 1.5 }),
      standing('weight', box(0.1, 0.1, 0.1), [0, -0.5], { onM: 0.015, massKg: 2 }),
    ];
    const t = await runtimeWith('humanoid', things);
    t.advance(60);
    expect(t.invoke('pick_entity', entity('bin')).error).toMatchObject({ code: 'NOT_GRASPABLE' });
    expect(t.invoke('pick_entity', entity('bin')).error.message).toContain('3.50 kg');
  });
});

describe('an invalid place on or in a thing', () => {
  const held = async (...things: Parameters<typeof standing>[]) => {
    const t = await runtimeWith('humanoid', [
      standing('it', box(0.15, 0.15, 0.15), [0, -0.6], { massKg: 0.4 }),
      ...things.map((thing) => standing(...thing)),
    ]);
    t.advance(60);
    expect(t.invoke('pick_entity', entity('it')).status).toBe('done');
    return t;
  };

  it('a place that is too small, full, the thing itself, or missing is rejected with the reason', async () => {
    const t = await held(
      ['cup', container(0.12, 0.12, 0.12), [0.5, -0.6], { massKg: 0.2 }],
      ['full', container(0.3, 0.3, 0.12), [-0.6, -0.6], { massKg: 0.5 }],
      ['filling', box(0.26, 0.26, 0.1), [-0.6, -0.6], { onM: 0.015, massKg: 0.5 }],
    );
    const hash = stateHash(t.core.world);
    const codes = ['cup', 'full', 'it', 'nothing'].map((id) => t.invoke('place_entity', entity(id)).error.code);
    expect(codes).toEqual(['NO_FREE_SLOT', 'TARGET_OCCUPIED', 'INVALID_INPUT', 'UNKNOWN_ENTITY']);
    expect(stateHash(t.core.world)).toBe(hash);
  });
});

describe('objects as clients receive them', () => {
  it('objects have a kind, a category, a shape and a weight; the fields of cubes are unchanged', async () => {
    const t = await runtimeWith('humanoid', [standing('can', cylinder(0.035, 0.12), [0, 0], { massKg: 0.35 }), cubeAt(1, 0)]);
    const { entities } = t.read('runtime.scene_state');
    expect(entities.can).toMatchObject({
      kind: 'object',
      state: { color: 'red', category: 'cylinder', mass_kg: 0.35, shape: { kind: 'cylinder', radius_m: 0.035, height_m: 0.12 } },
    });
    expect(entities.cube_0.kind).toBe('cube');
    expect(Object.keys(entities.cube_0.state)).toEqual(['color', 'parent_pad_id', 'slot', 'at_rest']);
    expect(t.invoke('look_at', entity('can')).status).toBe('done');
    expect(Object.keys(t.read('runtime.scene_state', { kinds: ['object'] }).entities)).toEqual(['can']);
  });

  it('the container of a thing is in its state, and absent for things outside', async () => {
    const t = await runtimeWith('humanoid', [
      standing('crate', container(0.3, 0.3, 0.12), [0.6, 0], { massKg: 0.5 }),
      standing('in_it', box(0.1, 0.1, 0.05), [0.6, 0], { onM: 0.015, massKg: 0.2 }),
      standing('beside', box(0.1, 0.1, 0.05), [0.6, 0.6], { massKg: 0.2 }),
    ]);
    t.advance(60);
    const { in_it: inIt, beside, crate } = t.read('runtime.scene_state').entities;
    expect(inIt.state.container_id).toBe('crate');
    for (const { state } of [beside, crate]) expect(state).not.toHaveProperty('container_id');
  });
});
