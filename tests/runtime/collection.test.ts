import { describe, expect, it } from 'vitest';
import { padOf, slots } from '../../src/simulation/scene.ts';
import { addCube } from '../../src/simulation/things.ts';
import { renderState, stateHash } from '../../src/simulation/world.ts';
import { cubeTruth } from './oracle.ts';
import { atPose, createTestRuntime, entity, type Reply, startAt, type TestRuntime } from './test-runtime.ts';

const countsOf = (t: TestRuntime) => t.read('runtime.state').robot.extra.sort_benchmark;
const entitiesOf = (t: TestRuntime): Record<string, Reply> => t.read('runtime.scene_state').entities;
const bodies = (t: TestRuntime): number => t.core.world.physics.bodies.len();
const colliders = (t: TestRuntime): number => t.core.world.physics.colliders.len();

/** Puts a cube into the hands of a robot before a pallet, with the robot's own skills. */
function carry(t: TestRuntime, colour: 'red' | 'green' | 'blue', padId: string): string {
  const [x, y] = padOf(t.core.world, padId)?.position ?? [0, 0];
  const { entityId } = addCube(t.core.world, colour, [x, y + 0.85, 0.075]);
  t.advance(30);
  for (const [name, id] of [
    ['go_to', entityId],
    ['pick_entity', entityId],
    ['go_to', padId],
  ] as const) {
    const reply = t.invoke(name, entity(id));
    expect(reply.status, `${name} ${id}: ${JSON.stringify(reply.error)}`).toBe('done');
  }
  return entityId;
}

function deliver(t: TestRuntime, colour: 'red' | 'green' | 'blue', padId: string): { id: string; reply: Reply } {
  const id = carry(t, colour, padId);
  const reply = t.invoke('place_entity', entity(padId));
  expect(reply.status, JSON.stringify(reply.error)).toBe('done');
  return { id, reply };
}

const atPadB = (): Promise<TestRuntime> => startAt(-1.4, -4.0, -90);

describe('a correct delivery', () => {
  it('P1 a correct delivery is counted, invisible, collected and out of physics when the reply is done, and keeps its pad', async () => {
    const t = await atPadB();
    const [bodiesBefore, collidersBefore] = [bodies(t), colliders(t)];
    const id = carry(t, 'red', 'pad_B');
    const placing = t.start('place_entity', entity('pad_B'));
    let lastSeen = cubeTruth(t.core, id);
    while (placing.replies === 0) {
      if (t.core.world.things.byId.has(id)) lastSeen = cubeTruth(t.core, id);
      t.advance();
    }
    expect(placing.reply.result).toMatchObject({ placed: id, placed_on: 'pad_B', slot: expect.any(Number), collected: true });
    expect(placing.reply.result).toMatchObject({ correct: true, pad_color: 'red', thing_color: 'red' });
    // The pose of the reply is the one at which it rested through the settle window.
    placing.reply.result.pose.position.forEach((value: number, axis: number) => {
      expect(value).toBeCloseTo(lastSeen.position[axis] ?? 0, 3);
    });
    expect(countsOf(t)).toMatchObject({
      correct_count: 1,
      wrong_count: 0,
      collected_count: 1,
      collect: true,
      pallet_stack_counts: { pad_B: 1 },
    });
    expect(entitiesOf(t)[id]).toEqual({
      entity_id: id,
      kind: 'cube',
      pose: placing.reply.result.pose,
      visible: false,
      attached_to: null,
      state: { color: 'red', parent_pad_id: 'pad_B', slot: null, at_rest: true, collected: true },
    });
    expect([bodies(t), colliders(t)]).toEqual([bodiesBefore, collidersBefore]);
    expect(t.core.world.things.byId.has(id)).toBe(false);
    expect([...t.core.world.colliderIds.values()]).not.toContain(id);
    expect(renderState(t.core.world).things.map(({ entityId }) => entityId)).not.toContain(id);
  });

  it('a correct delivery leaves its slot free, is in no legend, and is never the nearest cube', async () => {
    const t = await atPadB();
    const first = deliver(t, 'red', 'pad_B');
    expect(Object.keys(t.invoke('set_color_mode', { mode: 'segmentation' }).result.legend)).not.toContain(first.id);
    expect(t.invoke('pick_entity', entity('cube')).error.message).not.toContain(first.id);
    const id = carry(t, 'blue', 'pad_B');
    const again = t.invoke('place_entity', { target: { kind: 'slot', pad_id: 'pad_B', index: first.reply.result.slot } });
    expect(again.result).toMatchObject({ placed: id, slot: first.reply.result.slot, collected: false });
  });

  it('a collected cube cannot be picked, walked to or looked at, and the rejection has the reason, even after it leaves the list', async () => {
    const t = await atPadB();
    const { id } = deliver(t, 'red', 'pad_B');
    for (const skill of ['pick_entity', 'go_to', 'look_at']) {
      const { error } = t.invoke(skill, entity(id));
      expect(error).toMatchObject({ code: 'UNKNOWN_ENTITY', details: { attempted: false, collected: true, pad_id: 'pad_B' } });
      expect(error.message).toBe(
        `${id} was delivered to pad_B and has been collected, so it has left the hall. Choose another one; runtime.scene_state lists all of them.`,
      );
    }
    t.core.world.collection.listed.length = 0;
    const { error } = t.invoke('pick_entity', entity(id));
    expect(error).toMatchObject({ code: 'UNKNOWN_ENTITY', details: { collected: true } });
    expect(error.message).toMatch(/^cube_7 was delivered and has been collected/);
    const unknown = t.invoke('pick_entity', entity('cube_999')).error;
    expect(unknown.message).toMatch(/^Nothing in the scene has the id "cube_999"/);
    expect(unknown.details.entity_id).toBe('cube_999');
  });

  it('a look at a cube that is collected ends, because its target is gone', async () => {
    const t = await atPadB();
    const id = carry(t, 'red', 'pad_B');
    expect(t.invoke('set_head', { yaw: 1.3 }).status).toBe('done');
    const placing = t.start('place_entity', entity('pad_B'));
    t.stepUntil(() => t.read('runtime.state').runtime.active_action?.phase === 'settling');
    const looking = t.start('look_at', entity(id));
    expect(t.finish(placing).result.collected).toBe(true);
    expect(looking.replies).toBe(0);
    expect(t.finish(looking).error).toMatchObject({ code: 'UNKNOWN_ENTITY', details: { attempted: true, collected: true } });
  });

  it('a place at a pose over the pad, or on top of another cube, counts as a correct delivery', async () => {
    const t = await atPadB();
    const [x, y] = [-1.4, -5.32];
    const one = carry(t, 'red', 'pad_B');
    const onPad = padOf(t.core.world, 'pad_B')?.position[2] ?? 0;
    expect(t.invoke('place_entity', atPose(x, y, onPad + 0.075)).result).toMatchObject({ placed: one, collected: true });
    const below = slots(t.core.world, 'pad_B').find(({ index }) => index === 0);
    const under = addCube(t.core.world, 'blue', below?.position ?? [0, 0, 0]);
    t.advance(60);
    const two = carry(t, 'red', 'pad_B');
    const reply = t.invoke('place_entity', { target: { kind: 'slot', pad_id: 'pad_B', index: 4 } });
    expect(reply.result).toMatchObject({ placed: two, slot: 4, collected: true });
    expect(countsOf(t)).toMatchObject({ correct_count: 2, wrong_count: 1 });
    t.advance(120);
    expect(entitiesOf(t)[under.entityId].state).toMatchObject({ parent_pad_id: 'pad_B', at_rest: true, slot: 0 });
  });
});

describe('a cube that is not a correct delivery', () => {
  it('a cube of another colour stays on the pad and counts as wrong', async () => {
    const t = await atPadB();
    const { id, reply } = deliver(t, 'blue', 'pad_B');
    expect(reply.result).toMatchObject({ placed_on: 'pad_B', collected: false });
    expect(reply.result).toMatchObject({ correct: false, pad_color: 'red', thing_color: 'blue' });
    t.advance(240);
    expect(entitiesOf(t)[id]).toMatchObject({ visible: true, state: { parent_pad_id: 'pad_B' } });
    expect(countsOf(t)).toMatchObject({ correct_count: 0, wrong_count: 1, collected_count: 0 });
  });

  it('a cube that comes to rest on its pad in another way counts while it rests there, and is not collected', async () => {
    const t = await atPadB();
    const { entityId } = addCube(t.core.world, 'red', [-1.4, -5.5, 0.4]);
    t.advance(240);
    expect(countsOf(t)).toMatchObject({ correct_count: 1, collected_count: 0 });
    expect(entitiesOf(t)[entityId]).toMatchObject({ visible: true, state: { parent_pad_id: 'pad_B' } });
    expect(t.invoke('go_to', entity('pad_B')).status).toBe('done');
    expect(t.invoke('pick_entity', entity(entityId)).status).toBe('done');
    expect(countsOf(t)).toMatchObject({ correct_count: 0 });
    expect(t.invoke('place_entity', entity('pad_B')).result).toMatchObject({ placed: entityId, collected: true });
    expect(countsOf(t)).toMatchObject({ correct_count: 1, collected_count: 1 });
  });

  it('a cube that is put on the floor is not a delivery, so the reply calls it neither right nor wrong', async () => {
    const t = await atPadB();
    carry(t, 'red', 'pad_B');
    const reply = t.invoke('place_entity', atPose(-1.4, -4.2, 0.075));
    expect(reply.result).toMatchObject({ placed_on: null, collected: false });
    expect(reply.result).not.toHaveProperty('correct');
    expect(reply.result).not.toHaveProperty('pad_color');
    expect(reply.result).not.toHaveProperty('thing_color');
  });

  it('a place that was cancelled after it opened the hands leaves the cube on its pallet, counted', async () => {
    const t = await atPadB();
    const id = carry(t, 'red', 'pad_B');
    const placing = t.start('place_entity', entity('pad_B'));
    t.stepUntil(() => t.read('runtime.state').runtime.active_action?.phase === 'settling');
    t.send('runtime.cancel', { options: { action_id: 'cancel-active' } });
    expect(t.finish(placing).error.code).toBe('CANCELLED');
    t.advance(120);
    expect(entitiesOf(t)[id]).toMatchObject({ visible: true, state: { parent_pad_id: 'pad_B' } });
    expect(countsOf(t)).toMatchObject({ correct_count: 1, collected_count: 0 });
  });
});

describe('configure_benchmark', () => {
  it('{collect: false} leaves cubes on their pads; reset and select_scene restore the default', async () => {
    const t = await atPadB();
    expect(t.invoke('configure_benchmark', { benchmark: { collect: false } }).result).toMatchObject({
      enabled: true,
      collect: false,
    });
    const { id, reply } = deliver(t, 'red', 'pad_B');
    expect(reply.result.collected).toBe(false);
    expect(entitiesOf(t)[id]).toMatchObject({ visible: true, state: { parent_pad_id: 'pad_B', slot: reply.result.slot } });
    expect(countsOf(t)).toMatchObject({ correct_count: 1, collected_count: 0, collect: false });
    // Armed again without the option, the setting stays.
    expect(t.invoke('configure_benchmark', { benchmark: { enabled: true } }).result.collect).toBe(false);
    expect(t.invoke('reset').status).toBe('done');
    expect(countsOf(t).collect).toBe(true);
    t.invoke('configure_benchmark', { benchmark: { collect: false } });
    expect(t.invoke('select_scene', { scene_id: 'warehouse' }).status).toBe('done');
    expect(countsOf(t).collect).toBe(true);
  });

  it('configure_benchmark arms again: collected cubes do not count any more but stay listed, and a reset forgets them', async () => {
    const t = await atPadB();
    const { id } = deliver(t, 'red', 'pad_B');
    t.invoke('configure_benchmark', { benchmark: {} });
    expect(countsOf(t)).toMatchObject({ correct_count: 0, collected_count: 0, pallet_stack_counts: { pad_B: 0 } });
    expect(entitiesOf(t)[id].state.collected).toBe(true);
    deliver(t, 'red', 'pad_B');
    expect(countsOf(t)).toMatchObject({ correct_count: 1, collected_count: 1 });
    t.invoke('reset');
    expect(Object.keys(entitiesOf(t))).toHaveLength(13);
    expect(countsOf(t)).toMatchObject({ correct_count: 0, collected_count: 0 });
    expect(t.invoke('pick_entity', entity(id)).error.message).toMatch(/^Nothing in the scene/);
  });

  it('a benchmark that is off counts nothing but still collects, and begins at zero when it is on again', async () => {
    const t = await atPadB();
    t.invoke('configure_benchmark', { benchmark: { enabled: false } });
    expect(deliver(t, 'red', 'pad_B').reply.result.collected).toBe(true);
    expect(countsOf(t)).toMatchObject({ enabled: false, correct_count: 0, collected_count: 0, collect: true });
    t.invoke('configure_benchmark', { benchmark: { enabled: true } });
    expect(countsOf(t)).toMatchObject({ enabled: true, correct_count: 0, collected_count: 0 });
  });
});

describe('the memory of collected cubes', () => {
  it('the last twelve collected cubes are listed, and nothing else grows', async () => {
    const t = await atPadB();
    const sizes = () => {
      const { world } = t.core;
      return [bodies(t), colliders(t), world.things.all.length, world.things.byId.size, world.colliderIds.size];
    };
    const before = sizes();
    const ids = Array.from({ length: 14 }, () => deliver(t, 'red', 'pad_B').id);
    expect(sizes()).toEqual(before);
    const listed = Object.values(entitiesOf(t)).filter(({ state }) => state.collected);
    expect(listed.map(({ entity_id }) => entity_id)).toEqual(ids.slice(2));
    expect(countsOf(t)).toMatchObject({ correct_count: 14, collected_count: 14, pallet_stack_counts: { pad_B: 14 } });
    expect(Object.keys(t.read('runtime.scene_state', { entity_ids: [ids[0], ids[13]] }).entities)).toEqual([ids[13]]);
    expect(Object.keys(t.read('runtime.scene_state', { visible: true }).entities)).not.toContain(ids[13]);
    expect(t.read('runtime.capabilities').limits.collected_cubes_listed).toBe(12);
  });

  it('a spoiled cube that is delivered later stays in the count of spoiled cubes, and in no set', async () => {
    const t = await atPadB();
    const { id } = deliver(t, 'red', 'pad_B');
    expect(countsOf(t)).toMatchObject({ correct_count: 1, spoiled_count: 1 });
    expect(t.core.world.benchmark.spoiled.has(id)).toBe(false);
    t.invoke('configure_benchmark', { benchmark: {} });
    expect(countsOf(t).spoiled_count).toBe(0);
  });

  it('P12 the memory of collected cubes is part of the state hash', async () => {
    const t = await createTestRuntime();
    const before = stateHash(t.core.world);
    t.core.world.collection.enabled = false;
    expect(stateHash(t.core.world)).not.toBe(before);
    t.core.world.collection.enabled = true;
    t.core.world.collection.sinceArmed.set('pad_B', 1);
    expect(stateHash(t.core.world)).not.toBe(before);
  });
});
