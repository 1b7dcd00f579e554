import { describe, expect, it } from 'vitest';
import { judgeLost } from '../oracle/judge-ends.ts';
import { readTruth } from '../oracle/truth.ts';
import { atPose, entity, type Reply, startAt, type TestRuntime } from './test-runtime.ts';

/** A robot before rack_6, its face 1.2 m ahead, with cube_0 in its hands. */
async function carryingBeforeRack(): Promise<TestRuntime> {
  const t = await startAt(0.94, -1.8, 0);
  expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
  expect(t.invoke('go_to', atPose(3.7, -2, 0, { yaw_deg: 0 })).status).toBe('done');
  return t;
}

/** Strikes the held cube out of the hands. */
const strike = (t: TestRuntime, id = 'cube_0'): void =>
  t.core.world.things.byId.get(id)?.rigidBody.applyImpulse({ x: 0, y: 0, z: -6 }, true);

const whereIs = (t: TestRuntime, id = 'cube_0') => {
  const thing = readTruth(t.core, null).things.get(id);
  return [thing?.x, thing?.y, thing?.z].map((value) => expect.closeTo(value ?? Number.NaN, 3));
};
const held = (t: TestRuntime): string[] => t.read('runtime.state').robot.held_entity_ids;
const inState = (t: TestRuntime): Reply => t.read('runtime.state').robot.extra.dropped;

describe('a cube that slips from the hands is reported', () => {
  it('P1 a drive that presses the cube into a rack is done, with the dropped cube and the obstacle in its result', async () => {
    const t = await carryingBeforeRack();
    const { status, result, meta } = t.invoke('set_velocity', { vx: 1, duration_s: 3 });
    expect(status).toBe('done');
    expect(result.dropped).toEqual({ entity_id: 'cube_0', position: whereIs(t) });
    expect(result.blocked_by).toBeDefined();
    expect(meta.note).toContain('The robot dropped cube_0');
    expect(held(t)).toEqual([]);
  });

  it.each([
    ['set_velocity', { vx: -0.4, duration_s: 1 }],
    ['go_to', atPose(3, -1.2)],
    ['set_head', { yaw: 1.2, pitch: -0.5 }],
    ['look_at', atPose(1.4, -1.8, 0.6)],
  ])('P1 the result of %s names a cube dropped during it', async (name, input) => {
    const t = await carryingBeforeRack();
    const call = t.start(name, input);
    t.advance(20);
    strike(t);
    const reply = t.finish(call);
    expect(reply.status, JSON.stringify(reply.error)).toBe('done');
    expect(reply.result.dropped).toEqual({ entity_id: 'cube_0', position: whereIs(t) });
    expect(reply.meta.note).toMatch(/The robot dropped cube_0 meanwhile; result\.dropped/);
  });

  it('an action that ends early names the dropped cube in its error details, and the cancel names it too', async () => {
    const t = await carryingBeforeRack();
    const walk = t.start('go_to', atPose(3.2, 0.2), { action_id: 'walk' });
    t.advance(60);
    strike(t);
    t.advance(10);
    const cancelled = t.finish(t.send('runtime.cancel', { options: { action_id: 'walk' } }));
    expect(cancelled.error).toMatchObject({
      code: 'CANCELLED',
      details: { dropped: { entity_id: 'cube_0', position: whereIs(t) } },
    });
    expect(walk.reply).toEqual(cancelled);

    const again = await carryingBeforeRack();
    const drive = again.start('set_velocity', { vx: -1, duration_s: 2 });
    again.advance(60);
    const cancel = again.start('cancel');
    strike(again);
    expect(again.finish(cancel).result).toMatchObject({ dropped: { entity_id: 'cube_0' } });
    expect(drive.reply.error.details.dropped.entity_id).toBe('cube_0');
  });

  it.each([9, 5])(
    'a deadline %i steps before the end of an action names the dropped cube, at its place when the reply arrives',
    async (early) => {
      const other = await carryingBeforeRack();
      const begun = other.core.world.step;
      expect(other.invoke('look_at', atPose(4.2, -1.8, 0.6)).status).toBe('done');
      const steps = other.core.world.step - begun - early;

      const t = await carryingBeforeRack();
      const call = t.start('look_at', atPose(4.2, -1.8, 0.6), { deadline_s: steps / 120 });
      t.advance(steps - 3);
      t.core.world.things.byId.get('cube_0')?.rigidBody.applyImpulse({ x: 0, y: 3, z: -6 }, true);
      // The judge of every reply looks at the cube when the reply arrives; a step later it has fallen further.
      const { error } = t.finish(call);
      expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', details: { dropped: { entity_id: 'cube_0' } } });
    },
  );

  it('a drive that is replaced names the dropped cube, and the next drive does not', async () => {
    const t = await carryingBeforeRack();
    const first = t.start('set_velocity', { vx: -0.4, duration_s: 2 });
    t.advance(30);
    strike(t);
    t.advance(12);
    const second = t.start('set_velocity', { vx: -0.4, duration_s: 0.5 });
    expect(first.reply.error).toMatchObject({ code: 'CANCELLED', details: { dropped: { entity_id: 'cube_0' } } });
    const { status, result, meta } = t.finish(second);
    expect(status).toBe('done');
    expect(result.dropped).toBeUndefined();
    expect(meta.note).toBeUndefined();
  });

  it('place_entity fails with DROPPED during its approach, in the same words', async () => {
    const t = await carryingBeforeRack();
    t.invoke('go_to', entity('pad_D'));
    const call = t.start('place_entity');
    t.advance(10);
    strike(t);
    const { error } = t.finish(call);
    expect(error).toMatchObject({ code: 'DROPPED', details: { dropped: { entity_id: 'cube_0', position: whereIs(t) } } });
  });

  it('the state names a cube that dropped while nothing ran, and so does a place_entity that finds the hands empty', async () => {
    const t = await carryingBeforeRack();
    expect(inState(t)).toBeUndefined();
    const step = t.core.world.step;
    strike(t);
    t.advance(60);
    expect(inState(t)).toMatchObject({ entity_id: 'cube_0', position: whereIs(t) });
    expect(inState(t).step).toBeGreaterThan(step);
    expect(inState(t).sim_time_s).toBeCloseTo(inState(t).step / 120, 3);
    const { code, message, details } = t.invoke('place_entity').error;
    expect(code).toBe('HANDS_EMPTY');
    expect(message).toContain('it dropped cube_0 before');
    expect(details.dropped).toEqual({ entity_id: 'cube_0', position: whereIs(t) });
    // No other action is blamed for it.
    expect(t.invoke('set_head', { yaw: 0.3 }).result.dropped).toBeUndefined();
  });

  it('the state names a dropped cube until the hands hold one again, and at most as long as its world exists', async () => {
    const t = await carryingBeforeRack();
    strike(t);
    t.advance(240);
    t.invoke('go_to', entity('cube_0'));
    expect(inState(t)).toBeDefined();
    const picked = t.invoke('pick_entity', entity('cube_0'));
    expect(picked.status, JSON.stringify(picked.error)).toBe('done');
    expect(inState(t)).toBeUndefined();
    strike(t);
    t.advance(60);
    expect(inState(t)).toBeDefined();
    t.invoke('reset');
    expect(inState(t)).toBeUndefined();
    expect(t.invoke('place_entity').error.details.dropped).toBeUndefined();
  });

  it('a cube that is put down, or held to the end, is not called dropped', async () => {
    const t = await carryingBeforeRack();
    expect(t.invoke('set_velocity', { vx: -0.3, duration_s: 1 }).result.dropped).toBeUndefined();
    t.invoke('go_to', entity('pad_D'));
    const place = t.start('place_entity');
    t.advance(30);
    const look = t.start('set_head', { yaw: 0.4 });
    expect(t.finish(place).result).toMatchObject({ placed: 'cube_0' });
    expect(place.reply.result.dropped).toBeUndefined();
    expect(t.finish(look).result.dropped).toBeUndefined();
    expect(inState(t)).toBeUndefined();
  });
});

describe('the judge of lost cubes', () => {
  it('the judge finds a reply that omits a lost cube, names another cube or place, or reports one without cause', async () => {
    const t = await carryingBeforeRack();
    const before = readTruth(t.core, null);
    const stood = t.invoke('set_velocity', { vx: -0.3, duration_s: 0.5 });
    const between = readTruth(t.core, null);
    const reply = t.invoke('set_velocity', { vx: 1, duration_s: 3 });
    const after = readTruth(t.core, null);
    const find = (reported: Reply, from = between, to = after) =>
      judgeLost({ name: 'set_velocity', reply: reported, before: from, after: to, besidePlace: false });
    expect(find(reply)).toEqual([]);
    expect(find(stood, before, between)).toEqual([]);
    const { dropped, ...silent } = reply.result;
    expect(find({ ...reply, result: silent })).toEqual(['cube_0 was held before and is not any more, and nobody says so']);
    expect(find({ ...reply, result: { dropped: { ...dropped, entity_id: 'cube_1' } } })).not.toEqual([]);
    expect(find({ ...reply, result: { dropped: { ...dropped, position: [0, 0, 0] } } })).toHaveLength(1);
    expect(find({ ...stood, result: { dropped } }, before, between)).not.toEqual([]);
    expect(find({ status: 'failed', error: { code: 'CANCELLED', details: {} } })).toHaveLength(1);
    expect(find({ status: 'failed', error: { code: 'CANCELLED', details: { dropped } } })).toEqual([]);
  });
});
