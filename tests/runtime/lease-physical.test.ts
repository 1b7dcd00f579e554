import { describe, expect, it } from 'vitest';
import { DRIVER_SILENT_MS } from '../../src/protocol/wire/driver.ts';
import { ask, driverOf, METHOD, refused } from './lease-calls.ts';
import { advanceMs, control, createRcw, SIGNED, STANDING } from './rcw/rcw-runtime.ts';
import type { Reply } from './test-runtime.ts';

describe('the driver of the physical robot', () => {
  it('the driver loses the lease after 5 s of silence, and its velocity ends: the body stands', async () => {
    const t = await createRcw();
    ask(t, 'ann', 'take');
    t.finish(t.start('set_velocity', { vx: 0.5 }, undefined, 'ann'));
    t.start('set_upper_body', STANDING, undefined, 'ann');
    expect(control(t).velocity_holds).toBe(true);
    for (const name of ['set_velocity', 'set_upper_body'] as const) {
      const input = name === 'set_velocity' ? { vx: 1 } : STANDING;
      expect(t.start(name, input, undefined, 'bob').reply).toMatchObject(refused);
    }
    expect(t.start('get_state', {}, undefined, 'bob').reply.status).toBe('done');
    const heardAtMs = t.nowMs;
    advanceMs(t, DRIVER_SILENT_MS.worker - 20);
    expect(control(t).velocity_holds).toBe(true);
    advanceMs(t, 40);
    expect(t.nowMs - heardAtMs).toBeLessThan(DRIVER_SILENT_MS.worker + 30);
    expect(driverOf(t)).toBeNull();
    expect(control(t)).toMatchObject({ velocity_holds: false, stopped_by: { by: 'the robot, which no one drives any more' } });
    t.stepUntil(() => t.read('runtime.state').robot.status === 'ready', 3);
    expect(t.finish(t.start('set_velocity', { vx: 0.1 }, undefined, 'bob')).status).toBe('done');
  });

  it('any caller may stop the robot, which ends the driver’s motion', async () => {
    const t = await createRcw();
    ask(t, 'ann', 'take');
    t.finish(t.start('set_velocity', { vx: 0.5 }, undefined, 'ann'));
    expect(t.finish(t.start('stop', {}, undefined, 'bob')).result).toEqual({ stopped: true });
    expect(driverOf(t).identity).toBe('ann');
  });

  it('the lease must be taken with a signature, and the driver is the connection that carries it, not the holder’s name', async () => {
    const t = await createRcw(true);
    expect(ask(t, 'ann', 'take').error.code).toBe('PERMISSION_DENIED');
    const signed = (caller: string, method: string, payload: unknown, holder = 'operator'): Reply =>
      t.sendText(method, JSON.stringify(payload), caller, { ...SIGNED, holder }).reply;
    expect(signed('ann', METHOD, { action: 'take' }).result.driver).toMatchObject({ identity: 'ann', name: 'operator' });
    const drive = { name: 'set_velocity', input: { vx: 0.1 } };
    expect(signed('bob', 'runtime.tools_call', drive)).toMatchObject(refused);
    expect(signed('bob', METHOD, { action: 'give', to: 'bob' })).toMatchObject(refused);
    t.advance(2);
    expect(signed('ann', 'runtime.tools_call', drive, 'operator, renewed')).toBeNull();
  });
});
