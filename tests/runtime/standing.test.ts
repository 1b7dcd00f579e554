import { describe, expect, it } from 'vitest';
import { judgeStanding } from '../oracle/judge-ends.ts';
import { readTruth } from '../oracle/truth.ts';
import { entity, startAt, type TestRuntime } from './test-runtime.ts';

/** A robot that is pushed by a person: its base gets a push in every step, as by a heavier thing. */
function pushUntil(t: TestRuntime, isOver: () => boolean, atMostS: number): number {
  let steps = 0;
  for (; !isOver() && steps < atMostS * 120; steps += 1) {
    t.core.world.base.rigidBody.setLinvel({ x: 0, y: -0.1, z: 0 }, true);
    t.advance();
  }
  return steps;
}

describe('P7 done means standing', () => {
  it('a drive that is pushed is not done: it reports what still moves, how fast, and how far it came', async () => {
    const t = await startAt(3.2, 0, -90);
    const drive = t.start('set_velocity', { vx: 0.3, duration_s: 0.5 });
    pushUntil(t, () => drive.replies > 0, 8);
    const { code, message, details } = drive.reply.error;
    expect(code).toBe('NOT_AT_GOAL');
    expect(message).toMatch(/still moves after 5 s \(base\)/);
    expect(details).toMatchObject({ attempted: true, world_changed: 'yes', applied: { vx: 0.3 }, still_moving: ['base'] });
    expect(details.evidence.linear_mps).toBeGreaterThan(0.02);
    expect(details.moved.dx).toBeGreaterThan(0.3);
  });

  it('a zero drive that is pushed is not done either, until the push ends', async () => {
    const t = await startAt(3.2, 0, -90);
    pushUntil(t, () => false, 0.2);
    const halt = t.start('set_velocity', { duration_s: 0 });
    pushUntil(t, () => halt.replies > 0, 2);
    expect(halt.replies).toBe(0);
    expect(t.finish(halt).status).toBe('done');
  });

  it('cancel without an active action is not done while the robot is pushed: within 0.5 s it reports what moves', async () => {
    const t = await startAt(3.2, 0, -90);
    pushUntil(t, () => false, 0.2);
    const cancel = t.start('cancel');
    const steps = pushUntil(t, () => cancel.replies > 0, 2);
    expect(steps).toBeLessThanOrEqual(63);
    expect(cancel.reply.error).toMatchObject({
      code: 'NOT_AT_GOAL',
      details: { still_moving: ['base'], cancelled_action_ids: [], evidence: { linear_mps: expect.closeTo(0.1, 1) } },
    });
  });

  it('cancel of a drive that is pushed reports the motion too, beside the drive', async () => {
    const t = await startAt(3.2, 0, -90);
    const drive = t.start('set_velocity', { vx: 0.3, duration_s: 5 }, { action_id: 'drive' });
    t.advance(60);
    const cancel = t.start('cancel');
    pushUntil(t, () => cancel.replies > 0, 2);
    expect(drive.reply.error).toMatchObject({ code: 'CANCELLED', details: { still_moving: ['base'] } });
    expect(cancel.reply.error).toMatchObject({
      code: 'NOT_AT_GOAL',
      details: { still_moving: ['base'], cancelled_action_ids: ['drive'] },
    });
  });

  it('cancel waits for a robot that comes to rest, and is done at once when it rests', async () => {
    const t = await startAt(3.2, 0, -90);
    expect(t.start('cancel').reply.status).toBe('done');
    pushUntil(t, () => false, 0.1);
    const cancel = t.start('cancel');
    expect(cancel.replies).toBe(0);
    expect(t.finish(cancel)).toMatchObject({ status: 'done', result: { cancelled_action_ids: [] } });
    const [linear, angular] = [readTruth(t.core, null).robot.linearMps, readTruth(t.core, null).robot.yawRateRps];
    expect(linear).toBeLessThan(0.02);
    expect(angular).toBeLessThan(0.05);
  });

  it('cancel while another caller already drives attributes the motion to that caller', async () => {
    const t = await startAt(3.2, 0, -90);
    t.start('set_velocity', { vx: 0.6, duration_s: 3 }, { action_id: 'first' });
    t.advance(60);
    const cancel = t.start('cancel');
    const next = t.start('set_velocity', { vx: 0.6, duration_s: 1 }, { action_id: 'next' });
    expect(t.finish(cancel)).toMatchObject({ status: 'done', result: { cancelled_action_ids: ['first'] } });
    expect(t.finish(next).status).toBe('done');
  });

  it('a look that turned the base is not done while the base moves', async () => {
    const t = await startAt(3.2, 0, -90);
    const look = t.start('look_at', entity('pad_C'));
    t.stepUntil(() => t.core.ledger.active.values().next().value?.phase === 'turning the head', 10);
    pushUntil(t, () => look.replies > 0, 8);
    expect(look.reply.error).toMatchObject({ code: 'NOT_AT_GOAL', details: { still_moving: ['base'] } });
  });
});

describe('the judge of standing', () => {
  it('the judge finds a done reply during base motion, and ignores motion of another action', async () => {
    const t = await startAt(3.2, 0, -90);
    t.start('set_velocity', { vx: 0.5, duration_s: 1 });
    t.advance(60);
    const after = readTruth(t.core, null);
    const done = { status: 'done', result: {} };
    for (const name of ['set_velocity', 'cancel']) {
      expect(judgeStanding({ name, reply: done, after, baseIsAnothers: false })).toHaveLength(1);
      expect(judgeStanding({ name, reply: done, after, baseIsAnothers: true })).toEqual([]);
    }
    expect(judgeStanding({ name: 'cancel', reply: { status: 'failed' }, after, baseIsAnothers: false })).toEqual([]);
  });
});
