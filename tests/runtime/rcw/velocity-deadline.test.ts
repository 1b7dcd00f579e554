/**
 * A velocity has no end of its own, but a call may have one: no motion outlives the deadline of the call that began it (promise
 * P8).
 */
import { describe, expect, it } from 'vitest';
import { robotTruth } from '../oracle.ts';
import { advanceMs, control, createRcw, REACHING } from './rcw-runtime.ts';

describe('P8 a velocity whose call has a deadline', () => {
  it('a velocity lasts until its deadline, and ends there: the robot brakes and stands', async () => {
    const t = await createRcw();
    const callMs = t.nowMs;
    const reply = t.invoke('set_velocity', { vyaw: 0.5 }, { action_id: 'turn', deadline_s: 2 });
    expect(reply).toMatchObject({ status: 'done', result: { holds: true, ends_at_ms: Math.round(callMs + 2_000) } });
    advanceMs(t, callMs + 1_990 - t.nowMs);
    expect(robotTruth(t.core).angularRps).toBeCloseTo(0.5, 1);
    expect(control(t)).toMatchObject({ velocity_holds: true, velocity_ends_at_ms: Math.round(callMs + 2_000) });
    t.advance(3);
    expect(t.core.world.base.command).toEqual({ vx: 0, vy: 0, wz: 0 });
    advanceMs(t, 500);
    expect(robotTruth(t.core).angularRps).toBeLessThan(0.05);
    expect(control(t)).toMatchObject({
      velocity_holds: false,
      velocity_ends_at_ms: null,
      velocity_ended_by_deadline: { action_id: 'turn' },
    });
  });

  it('a velocity is renewed by the next one: a client that dies stops the robot', async () => {
    const t = await createRcw();
    for (let call = 0; call < 20; call += 1) {
      t.start('set_velocity', { vyaw: 0.4 }, { deadline_s: 0.5 });
      advanceMs(t, 250);
    }
    expect(robotTruth(t.core).angularRps).toBeCloseTo(0.4, 1);
    advanceMs(t, 1_000);
    expect(robotTruth(t.core).angularRps).toBeLessThan(0.05);
  });

  it('a velocity with a deadline is superseded by one without, which continues', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vyaw: 0.5 }, { deadline_s: 1 });
    expect(t.invoke('set_velocity', { vyaw: 0.5 }).result).toEqual({ command: { vx: 0, vy: 0, vyaw: 0.5 }, holds: true });
    expect(control(t).velocity_ends_at_ms).toBeNull();
    advanceMs(t, 5_000);
    expect(robotTruth(t.core).angularRps).toBeCloseTo(0.5, 1);
  });

  it('the end of a velocity leaves the arms to the caller that poses them', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 0.2 }, { deadline_s: 1 });
    for (let packet = 0; packet < 30; packet += 1) {
      t.start('set_upper_body', REACHING);
      advanceMs(t, 50);
    }
    expect(control(t)).toMatchObject({ velocity_holds: false, upper_body: { mode: 'trajectory', timeouts: 0 } });
  });

  it('a repeat of the call does not extend its velocity', async () => {
    const t = await createRcw();
    const options = { action_id: 'once', deadline_s: 1 };
    const first = t.invoke('set_velocity', { vyaw: 0.5 }, options);
    advanceMs(t, 800);
    expect(t.invoke('set_velocity', { vyaw: 0.5 }, options)).toEqual(first);
    advanceMs(t, 700);
    expect(robotTruth(t.core).angularRps).toBeLessThan(0.05);
  });

  it('a velocity whose deadline passes before the body has it moves nothing and reports this', async () => {
    const t = await createRcw();
    const call = t.start('set_velocity', { vyaw: 1 }, { deadline_s: 0.001 });
    expect(t.finish(call).error.code).toBe('DEADLINE_EXCEEDED');
    t.advance(120);
    expect(robotTruth(t.core).angularRps).toBeLessThan(0.05);
    expect(control(t)).toMatchObject({ velocity_holds: false, velocity_ends_at_ms: null });
  });

  it('a deadline has no effect on a zero velocity, or after a stop', async () => {
    const t = await createRcw();
    expect(t.invoke('set_velocity', {}, { deadline_s: 1 }).result).toEqual({
      command: { vx: 0, vy: 0, vyaw: 0 },
      holds: false,
    });
    t.invoke('set_velocity', { vyaw: 1 }, { deadline_s: 1 });
    t.invoke('stop');
    expect(control(t)).toMatchObject({ velocity_ends_at_ms: null, velocity_ended_by_deadline: null });
    advanceMs(t, 2_000);
    expect(control(t).velocity_ended_by_deadline).toBeNull();
  });
});
