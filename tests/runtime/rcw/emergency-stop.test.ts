/** The button at the robot: its effect, the state meanwhile, and that releasing it moves nothing. */

import { describe, expect, it } from 'vitest';
import { PAGE } from '../../../src/protocol/wire/caller.ts';
import { robotTruth } from '../oracle.ts';
import type { TestRuntime } from '../test-runtime.ts';
import { advanceMs, control, createRcw, REACHING, STANDING } from './rcw-runtime.ts';

const BODY_CALLS: [string, unknown][] = [
  ['set_velocity', { vx: 0.5 }],
  ['stop', {}],
  ['set_upper_body', STANDING],
];
/** Ten arm joints of the world itself, radians, independent of the reported state. */
const armsRad = ({ core }: TestRuntime): number[] => Array.from(core.world.body.jointPositions.subarray(13, 23));
const farthestRad = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((rad, index) => Math.abs(rad - (b[index] ?? 0))));

/** A robot whose arms were in a pose when the button was pressed, and have come to hang since. */
async function hanging(): Promise<TestRuntime> {
  const t = await createRcw();
  for (let packet = 0; packet < 20; packet += 1) {
    t.start('set_upper_body', REACHING);
    advanceMs(t, 50);
  }
  t.runtime.emergencyStop(t.nowMs, PAGE);
  advanceMs(t, 6_000);
  return t;
}

describe('the emergency stop', () => {
  it('the emergency stop brakes the base, lets the arms go limp, and rejects every command until it is released', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 1 });
    t.advance(120);
    t.invoke('set_upper_body', STANDING);
    t.runtime.emergencyStop(t.nowMs, PAGE);
    expect(control(t)).toMatchObject({ emergency_stop: true, velocity_holds: false, upper_body: { mode: 'damp' } });
    for (const [name, input] of BODY_CALLS) {
      expect(t.start(name, input).reply.error).toMatchObject({ code: 'NOT_READY', details: { emergency_stop: true } });
    }
    advanceMs(t, 600);
    expect(robotTruth(t.core).linearMps).toBeLessThan(0.02);
    t.runtime.releaseEmergencyStop(t.nowMs);
    expect(control(t)).toMatchObject({ emergency_stop: false, upper_body: { mode: 'damp' } });
    expect(t.invoke('set_velocity', { vx: 0.2 }).status).toBe('done');
  });

  it('the emergency stop keeps limp arms limp when the stop button of the page, or the loss of the room, stops the robot again', async () => {
    const t = await createRcw();
    t.invoke('set_upper_body', STANDING);
    t.runtime.emergencyStop(t.nowMs, PAGE);
    t.runtime.cancelActive(t.nowMs, PAGE);
    t.advance(30);
    t.runtime.noteSuspended(3_000, t.nowMs);
    expect(control(t)).toMatchObject({ emergency_stop: true, velocity_holds: false, upper_body: { mode: 'damp' } });
  });

  it('the emergency stop ends running actions, and reports who latched it first', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 1 });
    const stopping = t.start('stop');
    t.runtime.emergencyStop(t.nowMs, PAGE);
    t.runtime.emergencyStop(t.nowMs, { kind: 'robot', what: 'another' });
    expect(t.finish(stopping).error).toMatchObject({ code: 'NOT_READY', details: { emergency_stop: true } });
    expect(t.start('stop').reply.error.message).toContain("by the robot's page");
  });
});

describe('the state under a latched emergency stop', () => {
  it('the state reports that no call is accepted, and the reason as data: who, and since when', async () => {
    const t = await createRcw();
    const latchedAtMs = Math.round(t.nowMs);
    t.runtime.emergencyStop(t.nowMs, PAGE);
    t.runtime.emergencyStop(t.nowMs + 50, { kind: 'robot', what: 'another' });
    advanceMs(t, 8_000);
    const { runtime, robot } = t.read('runtime.state');
    expect(runtime).toMatchObject({ accepts_tool_calls: false, status: 'error' });
    expect(robot.status).toBe('error');
    expect(robot.extra.control.not_ready).toMatchObject({
      code: 'NOT_READY',
      details: { emergency_stop: true, latched_by: "the robot's page", latched_at_ms: latchedAtMs },
    });
    // It equals, word for word, the answer to a caller.
    expect(t.start('set_velocity', { vx: 1 }).reply.error).toEqual(robot.extra.control.not_ready);
  });

  it('the state reports "moving" as long as the robot brakes', async () => {
    const t = await createRcw();
    t.invoke('set_velocity', { vx: 1.2 });
    t.advance(120);
    t.runtime.emergencyStop(t.nowMs, PAGE);
    t.advance(5);
    expect(t.read('runtime.state')).toMatchObject({ runtime: { status: 'error' }, robot: { status: 'moving' } });
  });

  it('the state accepts calls again after the release', async () => {
    const t = await hanging();
    t.runtime.releaseEmergencyStop(t.nowMs);
    const { runtime, robot } = t.read('runtime.state');
    expect(runtime).toMatchObject({ accepts_tool_calls: true, status: 'ready' });
    expect(robot.extra.control).toMatchObject({ emergency_stop: false, not_ready: null });
  });

  it('reasons other than the button are reported in the same way', async () => {
    const t = await createRcw();
    t.runtime.noteSuspended(4_000, t.nowMs);
    t.advance(2);
    const { runtime, robot } = t.read('runtime.state');
    expect(runtime.accepts_tool_calls).toBe(false);
    expect(robot.extra.control.not_ready).toMatchObject({ code: 'NOT_READY', details: { suspended: true } });
    expect(t.start('stop').reply.error).toEqual(robot.extra.control.not_ready);
  });
});

describe('releasing the emergency stop', () => {
  it('a release moves nothing: hanging arms continue to hang, read from the world', async () => {
    const t = await hanging();
    const before = armsRad(t);
    t.runtime.releaseEmergencyStop(t.nowMs);
    for (let step = 0; step < 600; step += 1) {
      t.advance();
      expect(farthestRad(armsRad(t), before)).toBeLessThan(0.01);
    }
    expect(control(t).upper_body).toMatchObject({ mode: 'damp', commanded: null });
    expect(robotTruth(t.core).linearMps).toBeLessThan(0.02);
  });

  it('a release while the arms still fall changes nothing of their fall', async () => {
    const fall = async (released: boolean): Promise<number[][]> => {
      const t = await createRcw();
      for (let packet = 0; packet < 20; packet += 1) {
        t.start('set_upper_body', REACHING);
        advanceMs(t, 50);
      }
      t.runtime.emergencyStop(t.nowMs, PAGE);
      t.advance(10);
      if (released) t.runtime.releaseEmergencyStop(t.nowMs);
      return Array.from({ length: 240 }, () => {
        t.advance();
        return armsRad(t);
      });
    };
    expect(await fall(true)).toEqual(await fall(false));
  });

  it.each([
    ['a velocity', 'set_velocity', { vx: 0.2 }],
    ['a zero velocity', 'set_velocity', {}],
    ['stop', 'stop', {}],
  ])('a release leaves the arms to %s, which gives them to the walking controller', async (_what, name, input) => {
    const t = await hanging();
    t.runtime.releaseEmergencyStop(t.nowMs);
    advanceMs(t, 1_000);
    const hung = armsRad(t);
    expect(t.invoke(name, input).status).toBe('done');
    advanceMs(t, 2_000);
    expect(control(t).upper_body.mode).toBe('policy');
    expect(farthestRad(armsRad(t), hung)).toBeGreaterThan(0.3);
  });

  it('a release leaves the arms to a pose, which catches them', async () => {
    const t = await hanging();
    t.runtime.releaseEmergencyStop(t.nowMs);
    for (let packet = 0; packet < 40; packet += 1) {
      t.start('set_upper_body', REACHING);
      advanceMs(t, 50);
    }
    expect(farthestRad(armsRad(t), [...REACHING.r_arm, ...REACHING.l_arm])).toBeLessThan(0.1);
  });

  it('a release during a stream of poses: packets are rejected while latched, and the first one after it has the arms', async () => {
    const t = await createRcw();
    const stream = (packets: number): string[] =>
      Array.from({ length: packets }, () => {
        const { reply } = t.start('set_upper_body', REACHING);
        advanceMs(t, 20);
        return reply.error?.code ?? reply.status;
      });
    expect(new Set(stream(50))).toEqual(new Set(['done']));
    t.runtime.emergencyStop(t.nowMs, PAGE);
    expect(new Set(stream(50))).toEqual(new Set(['NOT_READY']));
    expect(control(t).upper_body.mode).toBe('damp');
    t.runtime.releaseEmergencyStop(t.nowMs);
    expect(control(t).upper_body.mode).toBe('damp');
    expect(new Set(stream(50))).toEqual(new Set(['done']));
    expect(control(t).upper_body.mode).toBe('trajectory');
  });
});
