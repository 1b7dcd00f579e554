/** Signed control and readiness are checked before the input. */
import { describe, expect, it } from 'vitest';
import { robotTruth } from '../oracle.ts';
import { createTestRuntime } from '../test-runtime.ts';
import { control, createRcw, SIGNED, STANDING, startSigned } from './rcw-runtime.ts';

const BODY_CALLS: [string, unknown][] = [
  ['set_velocity', { vx: 0.5 }],
  ['stop', {}],
  ['set_upper_body', STANDING],
];
const MALFORMED: [string, string][] = [
  ['set_velocity with a word for a number', '{"name":"set_velocity","input":{"vx":"fast"}}'],
  ['set_velocity with NaN', '{"name":"set_velocity","input":{"vx":NaN}}'],
  ['set_upper_body without arms', '{"name":"set_upper_body","input":{}}'],
  ['set_upper_body with infinity', '{"name":"set_upper_body","input":{"r_arm":[Infinity,0,0,0,0],"l_arm":[0,0,0,0,0]}}'],
  ['set_upper_body with strange options', '{"name":"set_upper_body","input":{},"options":{"deadline_s":-1}}'],
];

describe('signed control', () => {
  it.each(BODY_CALLS)('%s unsigned is PERMISSION_DENIED and moves nothing', async (name, input) => {
    const t = await createRcw(true);
    const before = robotTruth(t.core);
    const { reply } = t.start(name, input);
    expect(reply).toMatchObject({ status: 'failed', error: { code: 'PERMISSION_DENIED' } });
    expect(reply.meta).toBeUndefined();
    t.advance(120);
    expect(robotTruth(t.core).position).toEqual(before.position);
    expect(control(t)).toMatchObject({ signed_only: true, velocity_holds: false, upper_body: { mode: 'policy' } });
  });

  it.each(BODY_CALLS)('%s signed is done', async (name, input) => {
    const t = await createRcw(true);
    expect(t.finish(startSigned(t, name, input))).toMatchObject({ status: 'done' });
  });

  it('runtime.cancel moves the body too: unsigned it is PERMISSION_DENIED', async () => {
    const t = await createRcw(true);
    expect(t.read('runtime.cancel', {}).error.code).toBe('PERMISSION_DENIED');
    const call = t.sendText('runtime.cancel', '{}', 'agent', SIGNED);
    expect(call.reply.error.code).toBe('ACTION_NOT_FOUND');
  });

  it('signed control is on unless the operator opts out', async () => {
    const t = await createTestRuntime({ profile: 'worker' });
    t.advance();
    expect(t.start('stop').reply.error.code).toBe('PERMISSION_DENIED');
    expect(t.read('runtime.manifest')).toMatchObject({ profile: 'worker', signed_control: true });
  });

  it.each(BODY_CALLS)('with the opt-out %s is accepted unsigned', async (name, input) => {
    const t = await createRcw(false);
    expect(t.invoke(name, input)).toMatchObject({ status: 'done' });
    expect(control(t).signed_only).toBe(false);
  });

  it.each([
    ['get_state', (t) => t.invoke('get_state').result.state.robot.entity_id],
    ['runtime.state', (t) => t.read('runtime.state').robot.entity_id],
    ['runtime.scene_state', (t) => t.read('runtime.scene_state').entities.robot.entity_id],
  ] as [string, (t: Awaited<ReturnType<typeof createRcw>>) => string][])('%s needs no signature', async (_name, read) => {
    expect(read(await createRcw(true))).toBe('robot');
  });
});

describe('two checks run before the check of the input', () => {
  it.each(MALFORMED)('%s, unsigned: PERMISSION_DENIED', async (_what, payload) => {
    const t = await createRcw(true);
    expect(t.sendText('runtime.tools_call', payload).reply.error.code).toBe('PERMISSION_DENIED');
  });

  it.each(MALFORMED)('%s, signed, the body silent: NOT_READY', async (_what, payload) => {
    const t = await createRcw(true);
    t.nowMs += 2_000;
    expect(t.sendText('runtime.tools_call', payload, 'agent', SIGNED).reply.error.code).toBe('NOT_READY');
  });

  it.each(MALFORMED)('%s, signed, the body ready: INVALID_INPUT', async (_what, payload) => {
    const t = await createRcw(true);
    expect(t.sendText('runtime.tools_call', payload, 'agent', SIGNED).reply.error.code).toBe('INVALID_INPUT');
  });

  it('an unsigned call to a silent body is rejected by signed control, the first check', async () => {
    const t = await createRcw(true);
    t.nowMs += 2_000;
    expect(t.start('stop').reply.error.code).toBe('PERMISSION_DENIED');
  });
});

describe('fresh telemetry', () => {
  it.each(BODY_CALLS)('%s fails while the body has not reported yet', async (name, input) => {
    const t = await createTestRuntime({ profile: 'worker', signedControlRequired: false });
    expect(t.start(name, input).reply).toMatchObject({
      error: { code: 'NOT_READY', details: { telemetry_age_ms: null, retryable: true } },
    });
  });

  it.each(BODY_CALLS)('%s with reports older than half a second fails and is not queued', async (name, input) => {
    const t = await createRcw();
    const before = robotTruth(t.core).position;
    t.nowMs += 501;
    const { reply } = t.start(name, input);
    expect(reply.error).toMatchObject({ code: 'NOT_READY', details: { telemetry_age_ms: 501 } });
    t.advance(240);
    expect(robotTruth(t.core).position).toEqual(before);
    expect(control(t)).toMatchObject({ velocity_holds: false, upper_body: { mode: 'policy' } });
  });

  it('reads work without fresh telemetry', async () => {
    const t = await createRcw();
    t.nowMs += 10_000;
    expect(control(t).telemetry_age_ms).toBe(10_000);
    expect(t.invoke('get_state').status).toBe('done');
  });
});
