import { describe, expect, it } from 'vitest';
import { RESULT_KEPT_MS, RESULTS_KEPT_MIN } from '../../src/protocol/wire/limits.ts';
import { robotTruth } from './oracle.ts';
import { createTestRuntime, entity } from './test-runtime.ts';

describe('P5 exactly once', () => {
  it('a repeat by any caller joins the running action, and both get the same end', async () => {
    const t = await createTestRuntime();
    const first = t.start('set_velocity', { vx: 0.3, duration_s: 0.5 }, { action_id: 'drive' }, 'one');
    t.advance(10);
    const joined = t.start('set_velocity', { duration_s: 0.5, vx: 0.3 }, { action_id: 'drive' }, 'two');
    t.finish(first);
    expect(joined.reply).toEqual(first.reply);
    expect(t.ended.filter((action) => action.actionId === 'drive')).toHaveLength(1);
    expect(robotTruth(t.core).position[0] - 0.405).toBeLessThan(0.2);
  });

  it('a repeat after the end returns the stored result and nothing moves', async () => {
    const t = await createTestRuntime();
    const first = t.invoke('set_velocity', { vx: -0.3 }, { action_id: 'drive' });
    const before = robotTruth(t.core);
    const again = t.start('set_velocity', { vx: -0.3 }, { action_id: 'drive' });
    expect(again.reply).toEqual(first);
    t.advance(60);
    expect(robotTruth(t.core).position).toEqual(before.position);
  });

  it('explicit defaults count as the same parameters', async () => {
    const t = await createTestRuntime();
    const first = t.invoke('set_velocity', { wz: 0.2 }, { action_id: 'turn' });
    expect(t.invoke('set_velocity', { vx: 0, vy: 0, wz: 0.2, duration_s: 0.5 }, { action_id: 'turn' })).toEqual(first);
  });

  it.each([
    ['while it runs', 5],
    ['after it ended', 400],
  ])('other parameters or another skill under the same id are rejected %s', async (_when, steps) => {
    const t = await createTestRuntime();
    t.start('set_velocity', { vx: -0.2 }, { action_id: 'x' });
    t.advance(steps);
    for (const reply of [
      t.start('set_velocity', { vx: 0.2 }, { action_id: 'x' }).reply,
      t.start('set_head', { yaw: 0 }, { action_id: 'x' }).reply,
    ]) {
      expect(reply).toMatchObject({ status: 'failed', error: { code: 'DUPLICATE_ACTION', details: { attempted: false } } });
      expect(reply.meta).toBeUndefined();
    }
  });

  it('a rejected call does not use up its id', async () => {
    const t = await createTestRuntime();
    const walking = t.start('go_to', entity('pad_C'));
    expect(t.start('go_to', entity('pad_D'), { action_id: 'later' }).reply.error.code).toBe('BUSY');
    t.send('runtime.cancel', { options: { action_id: 'cancel-active' } });
    t.finish(walking);
    expect(t.invoke('go_to', entity('pad_D'), { action_id: 'later' }).status).toBe('done');
  });

  it('the number of executions equals the number of distinct ids when every call is repeated at random times', async () => {
    const t = await createTestRuntime();
    const ids = Array.from({ length: 20 }, (_, i) => `call-${i}`);
    for (const [index, id] of ids.entries()) {
      const yaw = (index % 7) / 10;
      const calls = [t.start('set_head', { yaw }, { action_id: id })];
      for (let repeat = 0; repeat < 3; repeat += 1) {
        t.advance(7 * index + repeat * 40);
        calls.push(t.start('set_head', { yaw }, { action_id: id }));
      }
      for (const call of calls) expect(t.finish(call)).toEqual(t.finish(calls[0] as never));
    }
    expect(t.ended.map((action) => action.actionId)).toEqual(ids);
  });

  it('results survive a reload of the tab', async () => {
    const before = await createTestRuntime();
    const first = before.invoke('set_velocity', { vx: 0.4 }, { action_id: 'drive' });
    const after = await createTestRuntime({ storedResults: JSON.parse(JSON.stringify(before.ended)) });
    expect(after.start('set_velocity', { vx: 0.4 }, { action_id: 'drive' }).reply).toEqual(first);
    expect(after.read('runtime.action', { action_id: 'drive' })).toEqual(first);
    expect(after.start('set_velocity', { vx: 0.5 }, { action_id: 'drive' }).reply.error.code).toBe('DUPLICATE_ACTION');
  });

  it('the ledger keeps every result for ten minutes, and the last 256 for longer', async () => {
    const t = await createTestRuntime();
    const call = (n: number) => t.invoke('set_sim_speed', { speed: 1 }, { action_id: `s${n}` });
    const known = (n: number) => t.read('runtime.action', { action_id: `s${n}` }).status === 'done';
    for (let n = 0; n < RESULTS_KEPT_MIN + 50; n += 1) call(n);
    expect(known(0)).toBe(true);
    t.nowMs += RESULT_KEPT_MS - 1;
    call(1000);
    expect(known(0)).toBe(true);
    t.nowMs += 2;
    call(1001);
    expect(known(0)).toBe(false);
    expect(known(51)).toBe(false);
    expect(known(52)).toBe(true);
    expect(known(1001)).toBe(true);
  });
});

describe('P6 a late asker learns the end', () => {
  it('the running action is returned with phase and progress, its end by id and to another client', async () => {
    const t = await createTestRuntime();
    const call = t.start('go_to', entity('pad_C'), { action_id: 'walk' }, 'one');
    t.advance(300);
    const asked = t.send('runtime.action', { action_id: 'walk' }, 'two').reply;
    expect(asked).toMatchObject({
      status: 'running',
      active_action: { action_id: 'walk', kind: 'tool', name: 'go_to', phase: 'walking' },
    });
    expect(asked.active_action.progress).toMatchObject({ unit: 'm' });
    expect(asked.active_action.progress.current).toBeGreaterThan(0.2);
    expect(asked.active_action.progress.total).toBeGreaterThan(asked.active_action.progress.current);
    const end = t.finish(call);
    expect(t.send('runtime.action', { action_id: 'walk' }, 'two').reply).toEqual(end);
    expect(t.read('runtime.state').runtime.last_action).toMatchObject({ action_id: 'walk', status: 'done', name: 'go_to' });
  });

  it('a request without an id returns the last actions, newest first, as many as one reply carries', async () => {
    const t = await createTestRuntime();
    for (let n = 0; n < 120; n += 1) t.invoke('set_sim_speed', { speed: 1 }, { action_id: `s${n}` });
    const list = t.read('runtime.action');
    expect(list.slice(0, 3).map((item: { meta: { action_id: string } }) => item.meta.action_id)).toEqual([
      's119',
      's118',
      's117',
    ]);
    expect(list[0]).toMatchObject({ status: 'done', name: 'set_sim_speed', kind: 'tool' });
    expect(list.length).toBeGreaterThan(20);
  });

  it('an unused id is ACTION_NOT_FOUND', async () => {
    const t = await createTestRuntime();
    expect(t.read('runtime.action', { action_id: 'never' }).error.code).toBe('ACTION_NOT_FOUND');
    expect(t.read('runtime.action')).toEqual([]);
  });
});

describe('the page receives the course of actions', () => {
  it('the page receives acceptance, phases, progress and end; the end once and after the world is consistent', async () => {
    const t = await createTestRuntime();
    t.invoke('go_to', entity('cube_0'), { action_id: 'walk' });
    const mine = t.records.filter((record) => record.actionId === 'walk');
    expect(mine[0]).toMatchObject({
      status: 'running',
      phase: 'starting',
      caller: { kind: 'participant', identity: 'agent' },
      input: entity('cube_0'),
      result: null,
    });
    expect(mine.some((record) => record.phase === 'walking' && (record.progress?.current ?? 0) > 0)).toBe(true);
    expect(mine.filter((record) => record.status !== 'running')).toEqual([mine.at(-1)]);
    expect(mine.at(-1)).toMatchObject({ status: 'done', result: { status: 'done' } });
    expect(mine.length).toBeLessThan(60);
  });

  it('the times of an action are whole milliseconds and add up', async () => {
    const t = await createTestRuntime();
    const { meta } = t.invoke('set_velocity', { vx: 0.1 });
    expect(Number.isInteger(meta.started_at_ms)).toBe(true);
    expect(meta.finished_at_ms - meta.started_at_ms).toBe(meta.duration_ms);
    expect(meta.duration_ms).toBeGreaterThan(700);
  });
});
