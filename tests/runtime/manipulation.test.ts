import { describe, expect, it } from 'vitest';
import { slots } from '../../src/simulation/scene.ts';
import { addCube } from '../../src/simulation/things.ts';
import { cubeTruth, jointCount, jointsOn, planarDistance, robotTruth } from './oracle.ts';
import { atPose, createTestRuntime, entity, startAt, type TestRuntime } from './test-runtime.ts';

const handsOf = (t: TestRuntime): string[] => t.read('runtime.state').robot.held_entity_ids;
const phase = (t: TestRuntime): string => t.read('runtime.state').runtime.active_action?.phase ?? '';

/** A robot with cube_0 in its hands before a pad, in a warehouse where cubes stay on their pallets. */
async function carrying(padId = 'pad_D'): Promise<TestRuntime> {
  const t = await startAt(0.94, -1.8, 0);
  t.invoke('configure_benchmark', { benchmark: { collect: false } });
  expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
  expect(t.invoke('go_to', entity(padId)).status).toBe('done');
  return t;
}

/** Fills slots of a pad with cubes, as if they had been placed. */
function fill(t: TestRuntime, padId: string, indices: readonly number[]): void {
  for (const slot of slots(t.core.world, padId)) if (indices.includes(slot.index)) addCube(t.core.world, 'red', slot.position);
  t.advance(60);
}

function expectRest(t: TestRuntime, entityId: string, at: readonly number[]): void {
  const { position, linearMps } = cubeTruth(t.core, entityId);
  expect(Math.hypot(position[0] - (at[0] ?? 0), position[1] - (at[1] ?? 0), position[2] - (at[2] ?? 0))).toBeLessThan(0.03);
  expect(linearMps).toBeLessThan(0.01);
  expect(jointsOn(t.core, entityId)).toBe(0);
}

describe('pick_entity', () => {
  it('P1 pick_entity takes the cube at the spawn, steps closer on its own, and holds it when the reply is done', async () => {
    const t = await createTestRuntime();
    const reply = t.invoke('pick_entity', entity('cube_0'));
    expect(reply).toMatchObject({
      status: 'done',
      result: { status: 'done', held: 'cube_0', held_count: 1, requested: 'cube_0' },
    });
    expect(jointsOn(t.core, 'cube_0')).toBe(1);
    expect(jointCount(t.core)).toBe(1);
    const cube = cubeTruth(t.core, 'cube_0').position;
    expect(cube[2]).toBeGreaterThan(0.8);
    expect(planarDistance(cube, robotTruth(t.core).position)).toBeLessThan(0.5);
    expect(t.read('runtime.state').robot).toMatchObject({ status: 'holding', held_entity_ids: ['cube_0'] });
    expect(t.read('runtime.scene_state').entities.cube_0).toMatchObject({ attached_to: 'robot', state: { parent_pad_id: null } });
  });

  it('P2 the alias is the nearest free cube, resolved once, and the reply names it', async () => {
    const t = await startAt(0.94, -0.75, 0);
    const reply = t.invoke('pick_entity', entity('cube'));
    expect(reply.result).toMatchObject({ held: 'cube_2', requested: 'cube' });
    expect(jointsOn(t.core, 'cube_2')).toBe(1);
  });

  it('P2 the alias excludes cubes on a destination pad', async () => {
    const t = await startAt(-1.4, -4.88, -90);
    fill(t, 'pad_B', [0, 1]);
    expect(t.invoke('pick_entity', entity('cube')).error.code).toBe('OUT_OF_REACH');
  });

  it('P11 reach is measured from the base: 1.20 m is accepted, one step past it is rejected in the words that clients know', async () => {
    for (const [distanceM, code] of [
      [1.199, undefined],
      [1.201, 'OUT_OF_REACH'],
    ] as const) {
      const t = await startAt(1.4 - distanceM, -1.8, 0);
      const reply = t.invoke('pick_entity', entity('cube_0'));
      expect(reply.error?.code, JSON.stringify(reply)).toBe(code);
      if (code) {
        expect(reply.error.message).toContain('too far from cube (1.20m > 1.20m)');
        expect(reply.error.details).toMatchObject({ distance_m: 1.201, reach_m: 1.2, attempted: false });
      }
    }
  });

  it.each([
    ['the floor, turned', 0.2, -0.2, 0.075, 0.4],
    ['the floor, askew', -2, -3.6, 0.075, 1.2],
    ['a pallet', -1.22, -5.32, 0.195, 0],
  ])('pick_entity takes a cube from %s', async (_where, x, y, z, yawRad) => {
    const t = await createTestRuntime();
    const thing = addCube(t.core.world, 'yellow', [x, y, z]);
    thing.rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(yawRad / 2), w: Math.cos(yawRad / 2) }, true);
    t.advance(60);
    expect(t.invoke('go_to', entity(thing.entityId)).status).toBe('done');
    const reply = t.invoke('pick_entity', entity(thing.entityId));
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(jointsOn(t.core, thing.entityId)).toBe(1);
  });

  it.each([1, 2, 3, 4, 5])('P2 crowded pad, seed %i: the hands hold exactly the named cube, or are unchanged', async (seed) => {
    const t = await startAt(-1.4, -4.88, -90);
    let state = seed * 7919;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 4_294_967_296;
    };
    const ids = [-0.24, 0, 0.24].flatMap((dx) =>
      [-0.24, 0, 0.24].map((dy) => {
        const thing = addCube(t.core.world, 'red', [-1.4 + dx + 0.04 * random(), -5.5 + dy + 0.04 * random(), 0.2]);
        thing.rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(random()), w: Math.cos(random()) }, true);
        return thing.entityId;
      }),
    );
    t.advance(180);
    const named = ids[Math.floor(random() * ids.length)] ?? '';
    const reply = t.invoke('pick_entity', entity(named));
    if (reply.status === 'done') {
      expect(handsOf(t)).toEqual([named]);
      expect(jointsOn(t.core, named)).toBe(1);
    } else {
      expect(['NOT_GRASPABLE', 'GRASP_MISSED', 'OUT_OF_REACH']).toContain(reply.error.code);
      expect(handsOf(t)).toEqual([]);
      expect(jointCount(t.core)).toBe(0);
    }
  });

  it('pick_entity rejects full hands, and things that are not cubes', async () => {
    const t = await startAt(0.94, -1.8, 0);
    t.invoke('pick_entity', entity('cube_0'));
    const full = t.invoke('pick_entity', entity('cube_1'));
    expect(full.error).toMatchObject({ code: 'HANDS_FULL', details: { held: ['cube_0'], attempted: false } });
    expect(full.error.message).toContain('carry capacity reached');
    expect(handsOf(t)).toEqual(['cube_0']);
  });

  it('a slot into which a corner of a turned neighbour extends counts as taken', async () => {
    const t = await carrying('pad_D');
    const slot = slots(t.core.world, 'pad_D')[1];
    const [x = 0, y = 0, z = 0] = slot?.position ?? [];
    const thing = addCube(t.core.world, 'red', [x - 0.175, y - 0.069, z]);
    thing.rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(0.36), w: Math.cos(0.36) }, true);
    t.advance(60);
    const reply = t.invoke('place_entity', { target: { kind: 'slot', pad_id: 'pad_D', index: 1 } });
    expect(reply.error).toMatchObject({ code: 'TARGET_OCCUPIED', details: { attempted: false } });
    expect(reply.error.message).toContain(thing.entityId);
  });

  it('a cube that leans or carries another is rejected as not graspable, with the reason', async () => {
    const t = await startAt(-1.4, -4.88, -90);
    fill(t, 'pad_B', [3, 7]);
    const [lower] = t.core.world.things.all.slice(-2);
    const reply = t.invoke('pick_entity', entity(lower?.entityId ?? ''));
    expect(reply.error.code).toBe('NOT_GRASPABLE');
    expect(reply.error.message).toMatch(/on top of it/);
  });

  it('a miss opens the hands, tries once more, then fails with the hands unchanged', async () => {
    const t = await startAt(0.94, -1.8, 0);
    // Palms pass through this cube on the belt, so that they can never touch it.
    t.core.world.things.byId.get('cube_0')?.colliders[0]?.setCollisionGroups(0x0010_0007);
    const picking = t.start('pick_entity', entity('cube_0'));
    let closings = 0;
    let before = '';
    t.stepUntil(() => {
      const now = phase(t);
      if (now === 'closing hands' && before !== now) closings += 1;
      before = now;
      return picking.replies > 0;
    });
    expect(closings).toBe(2);
    expect(picking.reply.error).toMatchObject({ code: 'GRASP_MISSED', details: { stage: 'execution', attempted: true } });
    expect(handsOf(t)).toEqual([]);
    expect(jointCount(t.core)).toBe(0);
    expect(t.read('runtime.state').robot.status).toBe('ready');
  });

  it('a cube torn from the hands is DROPPED, with the place where it lies', async () => {
    const t = await startAt(0.94, -1.8, 0);
    const picking = t.start('pick_entity', entity('cube_0'));
    t.stepUntil(() => phase(t) === 'lifting');
    t.advance(20);
    const body = t.core.world.things.byId.get('cube_0')?.rigidBody;
    const at = body?.translation();
    body?.setTranslation({ x: (at?.x ?? 0) - 0.3, y: at?.y ?? 0, z: at?.z ?? 0 }, true);
    t.finish(picking);
    expect(picking.reply.error).toMatchObject({ code: 'DROPPED', details: { world_changed: 'yes' } });
    expect(picking.reply.error.details.evidence.position).toHaveLength(3);
    expect(handsOf(t)).toEqual([]);
  });

  it('P2 another cube than the named one in the hands never counts as done', async () => {
    const t = await startAt(0.94, -1.8, 0);
    const picking = t.start('pick_entity', entity('cube_0'));
    t.stepUntil(() => phase(t) === 'lifting');
    const { world } = t.core;
    const other = world.things.byId.get('cube_3');
    if (!world.grasp.hold || !other) throw new Error('nothing held');
    world.grasp.hold = { ...world.grasp.hold, thing: { ...other, position: world.grasp.hold.thing.position } };
    t.finish(picking);
    expect(picking.reply.error).toMatchObject({ code: 'WRONG_ENTITY_HELD', details: { stage: 'postcondition' } });
  });
});

describe('place_entity', () => {
  it.each(['pad_B', 'pad_C', 'pad_D', 'pad_E'])(
    'P1 place_entity puts the cube into a slot of %s, where it rests when the reply is done',
    async (padId) => {
      const t = await carrying(padId);
      const reply = t.invoke('place_entity', entity(padId));
      expect(reply, JSON.stringify(reply.error)).toMatchObject({
        status: 'done',
        result: { status: 'done', placed: 'cube_0', placed_on: padId, held_count: 0, collected: false },
      });
      const slot = slots(t.core.world, padId).find(({ index }) => index === reply.result.slot);
      expectRest(t, 'cube_0', slot?.position ?? []);
      expect(t.read('runtime.scene_state').entities.cube_0).toMatchObject({
        visible: true,
        attached_to: null,
        state: { parent_pad_id: padId },
      });
      t.advance(240);
      expectRest(t, 'cube_0', slot?.position ?? []);
    },
  );

  it('place_entity without a target chooses the nearest destination pad, never the source', async () => {
    const t = await startAt(0.94, -1.8, 0);
    t.invoke('pick_entity', entity('cube_0'));
    const refused = t.invoke('place_entity');
    expect(refused.error).toMatchObject({ code: 'OUT_OF_REACH', details: { attempted: false } });
    expect(refused.error.message).toMatch(/^not near a pallet \(must be within 1\.20m of pad_B, pad_C/);
    expect(refused.error.details.distances_m.pad_B).toBeGreaterThan(1.2);
    expect(handsOf(t)).toEqual(['cube_0']);
    t.invoke('go_to', entity('pad_C'));
    expect(t.invoke('place_entity').result).toMatchObject({ placed_on: 'pad_C' });
  });

  it.each([0, 1, 2, 3])('place_entity puts the cube into slot %i by name, round the pallet if necessary', async (index) => {
    const t = await carrying();
    const reply = t.invoke('place_entity', { target: { kind: 'slot', pad_id: 'pad_D', index } });
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(reply.result).toMatchObject({ placed_on: 'pad_D', slot: index });
    expectRest(t, 'cube_0', slots(t.core.world, 'pad_D')[index]?.position ?? []);
  });

  it('place_entity stacks onto a filled slot, not onto an empty one', async () => {
    const t = await carrying();
    const onTop = { target: { kind: 'slot', pad_id: 'pad_D', index: 7 } };
    expect(t.invoke('place_entity', onTop).error).toMatchObject({ code: 'NO_FREE_SLOT', details: { below: 3 } });
    fill(t, 'pad_D', [3]);
    expect(t.invoke('place_entity', onTop).result).toMatchObject({ slot: 7, placed_on: 'pad_D' });
    expectRest(t, 'cube_0', slots(t.core.world, 'pad_D')[7]?.position ?? []);
  });

  it('a long pad whose free slots are out of reach is not called full', async () => {
    const t = await createTestRuntime();
    t.invoke('select_scene', { scene_id: 'hall' });
    t.invoke('go_to', entity('cube_0'));
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    expect(t.invoke('go_to', { target: { kind: 'pose', pose: { position: [1.2, -1, 0], yaw_deg: 0 } } }).status).toBe('done');
    fill(t, 'pad_2', [0, 1, 2, 3]);
    const { error } = t.invoke('place_entity', entity('pad_2'));
    expect(error).toMatchObject({ code: 'OUT_OF_REACH', details: { attempted: false, pad_id: 'pad_2', slot: 4, reach_m: 1.2 } });
    fill(t, 'pad_2', [4, 5]);
    expect(t.invoke('place_entity', entity('pad_2')).error.code).toBe('NO_FREE_SLOT');
  });

  it('occupied slots and full pads are rejected before any motion', async () => {
    const t = await carrying();
    fill(t, 'pad_D', [0]);
    const occupied = t.invoke('place_entity', { target: { kind: 'slot', pad_id: 'pad_D', index: 0 } });
    expect(occupied.error).toMatchObject({
      code: 'TARGET_OCCUPIED',
      details: { attempted: false, occupant: expect.stringMatching(/^cube_/) },
    });
    fill(t, 'pad_D', [1, 2, 3, 4, 5, 6, 7]);
    expect(t.invoke('place_entity', entity('pad_D')).error.code).toBe('NO_FREE_SLOT');
    expect(t.invoke('place_entity', entity('pad_A')).error.code).toBe('OUT_OF_REACH');
    expect(handsOf(t)).toEqual(['cube_0']);
  });

  it('place_entity puts the cube at a pose on the floor, turned as requested', async () => {
    const t = await startAt(0.94, -1.8, 0);
    t.invoke('pick_entity', entity('cube_0'));
    t.invoke('go_to', atPose(0, -1, 0, { yaw_deg: 180 }));
    const reply = t.invoke('place_entity', atPose(-0.5, -0.9, 0.075, { yaw_deg: 30 }));
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(reply.result).toMatchObject({ placed: 'cube_0', placed_on: null, slot: null });
    expectRest(t, 'cube_0', [-0.5, -0.9, 0.075]);
    const quarter = Math.PI / 2;
    const off = (((cubeTruth(t.core, 'cube_0').yawRad - Math.PI / 6) % quarter) + quarter) % quarter;
    expect(Math.min(off, quarter - off)).toBeLessThan(0.05);
    expect(t.read('runtime.state').robot.extra.sort_benchmark.spoiled_count).toBe(1);
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
  });

  it('a pose in a rack, beside another cube, or too far away is rejected by name', async () => {
    const t = await carrying('pad_B');
    fill(t, 'pad_B', [0]);
    expect(t.invoke('place_entity', atPose(-1.58, -5.6, 0.195)).error).toMatchObject({ code: 'TARGET_OCCUPIED' });
    expect(t.invoke('place_entity', atPose(2, 3, 0.075)).error.code).toBe('OUT_OF_REACH');
    expect(t.invoke('place_entity', atPose(20, 3, 0.075)).error.code).toBe('GOAL_OUTSIDE_MAP');
  });

  it('P1 a cube that is knocked away while it settles is NOT_ON_TARGET, with the place where it lies', async () => {
    const t = await carrying();
    const placing = t.start('place_entity');
    t.stepUntil(() => phase(t) === 'settling');
    t.core.world.things.byId.get('cube_0')?.rigidBody.setLinvel({ x: 2, y: 1, z: 2 }, true);
    t.finish(placing);
    expect(placing.reply.error).toMatchObject({ code: 'NOT_ON_TARGET', details: { world_changed: 'yes' } });
    expect(planarDistance(placing.reply.error.details.evidence.position, cubeTruth(t.core, 'cube_0').position)).toBeLessThan(0.5);
    expect(handsOf(t)).toEqual([]);
  });

  it('a cube lost on the way down is DROPPED', async () => {
    const t = await carrying();
    const placing = t.start('place_entity');
    t.stepUntil(() => phase(t) === 'lowering');
    t.advance(10);
    const body = t.core.world.things.byId.get('cube_0')?.rigidBody;
    const at = body?.translation();
    body?.setTranslation({ x: at?.x ?? 0, y: (at?.y ?? 0) + 0.3, z: at?.z ?? 0 }, true);
    expect(t.finish(placing).error.code).toBe('DROPPED');
    expect(t.invoke('go_to', entity('pad_A')).status).toBe('done');
  });
});

describe('the example story', () => {
  it('go_to pad_A, pick cube_4, go_to pad_B, place: the count is one, and pick and place are quick', async () => {
    const t = await createTestRuntime();
    expect(t.invoke('go_to', entity('pad_A')).status).toBe('done');
    expect(t.invoke('go_to', entity('cube_4')).status).toBe('done');
    const timed = (name: string, input: unknown): number => {
      const from = t.core.world.step;
      const reply = t.invoke(name, input);
      expect(reply.status, JSON.stringify(reply.error)).toBe('done');
      return (t.core.world.step - from) / 120;
    };
    expect(timed('pick_entity', entity('cube_4'))).toBeLessThan(1.6);
    expect(t.invoke('go_to', entity('pad_B')).status).toBe('done');
    expect(timed('place_entity', entity('pad_B'))).toBeLessThan(1.8);
    expect(t.read('runtime.state').robot.extra.sort_benchmark).toMatchObject({
      correct_count: 1,
      wrong_count: 0,
      spoiled_count: 0,
      pallet_stack_counts: { pad_B: 1 },
    });
  });

  it('the robot sorts the first seven cubes to the pads of their colours', async () => {
    const t = await createTestRuntime();
    const pads: Record<string, string> = { red: 'pad_B', green: 'pad_C', blue: 'pad_D', yellow: 'pad_E' };
    for (let n = 0; n < 7; n += 1) {
      const id = `cube_${n}`;
      const colour: string = t.read('runtime.scene_state', { entity_ids: [id] }).entities[id].state.color;
      for (const [name, input] of [
        ['go_to', entity(id)],
        ['pick_entity', entity(id)],
        ['go_to', entity(pads[colour] ?? '')],
        ['place_entity', entity(pads[colour] ?? '')],
      ] as const) {
        const reply = t.invoke(name, input);
        expect(reply.status, `${name} ${id}: ${JSON.stringify(reply.error)}`).toBe('done');
        if (name === 'go_to') expect(reply.result.recoveries).toBe(0);
      }
    }
    expect(t.read('runtime.state').robot.extra.sort_benchmark).toMatchObject({
      correct_count: 7,
      wrong_count: 0,
      spoiled_count: 0,
    });
  });
});
