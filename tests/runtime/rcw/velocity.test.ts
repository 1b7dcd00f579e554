/** A velocity of the physical robot never stops on its own. */

import { describe, expect, it } from 'vitest';
import { PAGE } from '../../../src/protocol/wire/caller.ts';
import { robotTruth } from '../oracle.ts';
import { advanceMs, control, createRcw, STANDING } from './rcw-runtime.ts';

describe('set_velocity', () => {
  it('set_velocity continues until it is stopped: after ten seconds the robot still turns', async () => {
    const t = await createRcw();
    const reply = t.invoke('set_velocity', { vyaw: 0.5 });
    expect(reply.result).toEqual({ command: { vx: 0, vy: 0, vyaw: 0.5 }, holds: true });
    advanceMs(t, 10_000);
    expect(robotTruth(t.core).angularRps).toBeCloseTo(0.5, 1);
    expect(t.read('runtime.state').runtime.active_action).toBeUndefined();
    expect(control(t).velocity_holds).toBe(true);
  });

  it('set_velocity answers with its first step, not when the motion ends', async () => {
    const t = await createRcw();
    const call = t.start('set_velocity', { vx: 0.3 });
    t.advance(1);
    expect(call.reply).toMatchObject({ status: 'done' });
  });

  it('set_velocity drops duration_s and every other unknown parameter silently, and the robot moves on', async () => {
    const t = await createRcw();
    const reply = t.invoke('set_velocity', { vyaw: 0.4, duration_s: 0.2, wz: 1, colour: { any: ['thing'] } });
    expect(reply).toMatchObject({ status: 'done', result: { command: { vx: 0, vy: 0, vyaw: 0.4 }, holds: true } });
    advanceMs(t, 3_000);
    expect(robotTruth(t.core).angularRps).toBeCloseTo(0.4, 1);
  });

  it('absent components of a velocity are 0.0', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 0.4, vyaw: 0.4 });
    expect(t.invoke('set_velocity', { vy: 0.2 }).result.command).toEqual({ vx: 0, vy: 0.2, vyaw: 0 });
  });

  it('a zero velocity stops a velocity', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 1 });
    advanceMs(t, 500);
    expect(t.invoke('set_velocity', {}).result.holds).toBe(false);
    advanceMs(t, 1_000);
    expect(robotTruth(t.core).linearMps).toBeLessThan(0.02);
  });

  it('a later velocity supersedes an earlier one', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vyaw: 1 });
    advanceMs(t, 800);
    t.invoke('set_velocity', { vyaw: -0.6 });
    advanceMs(t, 1_500);
    expect(control(t).velocity_holds).toBe(true);
    expect(t.core.world.base.velocity.wz).toBeCloseTo(-0.6, 1);
  });

  it('a velocity beyond the limit is clamped, and the reply notes it', async () => {
    const t = await createRcw();
    const reply = t.invoke('set_velocity', { vyaw: 9 });
    expect(reply).toMatchObject({ result: { command: { vyaw: 1.5 } }, meta: { degraded: true } });
  });

  it('a velocity continues although its caller called only once', async () => {
    const t = await createRcw();
    t.start('set_velocity', { vyaw: 0.3 }, undefined, 'vanishing');
    advanceMs(t, 30_000);
    expect(t.core.world.base.velocity.wz).toBeCloseTo(0.3, 1);
  });
});

describe('stop', () => {
  it('stop answers when the robot measurably stands', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 1.5 });
    advanceMs(t, 900);
    const call = t.start('stop');
    expect(call.reply).toBeNull();
    expect(t.finish(call)).toMatchObject({ status: 'done', result: { stopped: true } });
    expect(robotTruth(t.core).linearMps).toBeLessThan(0.02);
    expect(control(t).velocity_holds).toBe(false);
  });

  it('stop of a robot that stands is done at once', async () => {
    const t = await createRcw();
    t.advance(60);
    expect(t.start('stop').reply).toMatchObject({ status: 'done' });
  });

  it('a velocity that arrives during a stop replaces it, and the stop reports this', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 1 });
    advanceMs(t, 500);
    const call = t.start('stop');
    t.advance(3);
    t.start('set_velocity', { vyaw: 0.2 });
    expect(call.reply.error).toMatchObject({ code: 'CANCELLED' });
  });

  it('the stop button of the page needs no signature', async () => {
    const t = await createRcw(true);
    t.core.world.base.command.wz = 1;
    t.advance(60);
    t.runtime.cancelActive(t.nowMs, PAGE);
    t.advance(120);
    expect(robotTruth(t.core).angularRps).toBeLessThan(0.05);
  });
});

describe('the methods that the physical robot lacks', () => {
  it.each(['go_to', 'pick_entity', 'place_entity', 'set_head', 'reset', 'cancel', 'get_vision'])(
    '%s: UNKNOWN_SKILL',
    async (name) => {
      const t = await createRcw();
      expect(t.sendText('runtime.tools_call', JSON.stringify({ name, input: {} })).reply.error.code).toBe('UNKNOWN_SKILL');
    },
  );

  it('the schemas of the worker declare no additionalProperties', async () => {
    const t = await createRcw();
    const skills = t.read('runtime.tools_list');
    expect(skills.map(({ name }: { name: string }) => name)).toEqual(['set_velocity', 'stop', 'get_state', 'set_upper_body']);
    expect(JSON.stringify(skills)).not.toContain('additionalProperties');
  });

  it('a freeze of the process stops the robot, because it may have missed commands meanwhile', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vyaw: 1 });
    t.invoke('set_velocity', { vyaw: 1 });
    t.invoke('set_upper_body', STANDING);
    t.runtime.noteSuspended(4_000, t.nowMs);
    expect(control(t)).toMatchObject({ velocity_holds: false, upper_body: { mode: 'damp' } });
    expect(t.records.at(-1)).toMatchObject({ name: 'set_upper_body', status: 'failed' });
    // The command sent meanwhile arrives at this point.
    t.advance(2);
    expect(t.start('set_velocity', { vx: 1 }).reply.error).toMatchObject({ code: 'NOT_READY', details: { suspended: true } });
    advanceMs(t, 500);
    expect(t.invoke('set_velocity', { vx: 1 }).status).toBe('done');
  });
});

describe('a robot that was stopped without a call', () => {
  it('the state reports who stopped the robot without a call, until a velocity drives it again', async () => {
    const t = await createRcw();
    expect(control(t).stopped_by).toBeNull();
    t.invoke('set_velocity', { vx: 0.3 });
    t.runtime.cancelActive(t.nowMs, { kind: 'robot', what: 'the worker, which lost its room' });
    t.advance(1);
    const stopped = { by: 'the worker, which lost its room', at_ms: Math.round(t.nowMs) };
    expect(control(t)).toMatchObject({ velocity_holds: false, stopped_by: { by: stopped.by } });
    expect(control(t).stopped_by?.at_ms).toBeLessThanOrEqual(stopped.at_ms);
    t.invoke('stop', {});
    expect(control(t).stopped_by).toMatchObject({ by: stopped.by });
    t.invoke('set_velocity', { vx: 0.3 });
    expect(control(t).stopped_by).toBeNull();
  });
});
