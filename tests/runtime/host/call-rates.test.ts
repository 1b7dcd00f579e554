import { describe, expect, it } from 'vitest';
import { CALLS_AT_ONCE_MAX, CALLS_PER_SECOND_MAX } from '../../../src/protocol/wire/limits.ts';
import { createCallRates } from '../../../src/runtime/host/call-rates.ts';
import type { FromSimulation } from '../../../src/runtime/host/sim-messages.ts';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import { createForge, ROBOT, SESSION, START_MS } from '../../protocol/helpers/forge.ts';
import { createFakeRuntime } from '../../viewer/fake-runtime.ts';

const forge = createForge();

function createHost() {
  const { runtime, fake } = createFakeRuntime();
  const replies: { status?: string; error?: { code: string; details: Record<string, unknown> }; to?: string }[] = [];
  const waiting: (() => void)[] = [];
  const clock = { ms: 0 };
  const host = createSimulationHost({
    runtime,
    post(message: FromSimulation) {
      if (message.kind !== 'reply') return;
      replies.push(JSON.parse(message.text));
      waiting.shift()?.();
    },
    sleep: async () => undefined,
    monotonicMs: () => clock.ms,
    wallMs: () => START_MS + clock.ms,
    hidden: true,
    signedControl: { trustedKeys: () => forge.trusted, robotId: ROBOT, session: SESSION },
  });
  let calls = 0;
  const send = (method: string, payload: unknown, callerIdentity = 'agent'): void => {
    calls += 1;
    const text = JSON.stringify(payload);
    host.receive({ kind: 'call', callId: calls, requestId: `${calls}`, method, payload: text, callerIdentity });
  };
  return {
    clock,
    replies,
    send,
    handled: () => fake.log.filter(([what]) => what === 'handle').length,
    nextReply: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
  };
}

const skill = (name: string, input: unknown = {}) => ({ name, input, options: { action_id: 'x'.repeat(128) } });
const sealed = (call: { method: 'runtime.tools_call' | 'runtime.cancel'; payload: Record<string, unknown> }, seq: number) => ({
  envelope: forge.envelope({ call, seq }),
});

describe('the calls of one participant', () => {
  it('the call rate is bounded; a rejection has the limit and the waiting time, and other callers are unaffected', () => {
    const { send, handled, replies, clock } = createHost();
    for (let n = 0; n < 10 * CALLS_AT_ONCE_MAX; n += 1) send('runtime.state', {});
    expect(handled()).toBe(CALLS_AT_ONCE_MAX);
    expect(replies).toHaveLength(10 * CALLS_AT_ONCE_MAX);
    const refusal = replies.at(-1)?.error;
    expect(refusal).toMatchObject({
      code: 'BUSY',
      details: {
        limit: 'calls',
        allowed: { calls_per_second: CALLS_PER_SECOND_MAX, calls_at_once: CALLS_AT_ONCE_MAX },
        attempted: false,
        world_changed: 'no',
        retryable: true,
      },
    });
    send('runtime.state', {}, 'other');
    expect(replies.at(-1)?.error).toBeUndefined();
    clock.ms += Number(refusal?.details.retry_after_ms);
    send('runtime.state', {});
    expect(replies.at(-1)?.error).toBeUndefined();
    send('runtime.state', {});
    expect(replies.at(-1)?.error?.code).toBe('BUSY');
  });

  it('the call rate is far above that of programs: poses at 120 Hz, state reads, bursts of 200', () => {
    const { send, replies, clock } = createHost();
    for (let beat = 0; beat < 120 * 60; beat += 1) {
      send('runtime.tools_call', skill('set_upper_body'));
      if (beat % 12 === 0) send('runtime.state', {});
      if (beat % 600 === 0) for (let n = 0; n < 200; n += 1) send('runtime.scene_state', {});
      clock.ms += 1_000 / 120;
    }
    expect(replies.filter(({ error }) => error)).toEqual([]);
  });

  it('P7 P9: a stop, a zero velocity and a cancel are accepted at any rate, and do not count', () => {
    const { send, replies } = createHost();
    for (let n = 0; n < CALLS_AT_ONCE_MAX; n += 1) send('runtime.state', {});
    const always = [
      ['runtime.cancel', { options: { action_id: 'cancel-active' } }],
      ['runtime.tools_call', skill('stop')],
      ['runtime.tools_call', skill('cancel')],
      ['runtime.tools_call', skill('set_velocity')],
      ['runtime.tools_call', skill('set_velocity', { vx: 0, vy: null, wz: -0 })],
      ['runtime.tools_call', skill('set_velocity', { vyaw: 0 })],
    ] as const;
    for (const [method, payload] of always) {
      send(method, payload);
      expect(replies.at(-1)?.error, JSON.stringify(payload)).toBeUndefined();
    }
    for (const payload of [skill('set_velocity', { vx: 0.1 }), skill('go_to'), 'stop', null, 7]) {
      send('runtime.tools_call', payload);
      expect(replies.at(-1)?.error?.code, JSON.stringify(payload)).toBe('BUSY');
    }
  });

  it('P7: a stop in an envelope is also accepted at any rate, and no other call is', async () => {
    const { send, replies, nextReply } = createHost();
    for (let n = 0; n < CALLS_AT_ONCE_MAX; n += 1) send('runtime.state', {});
    const stops = [
      { method: 'runtime.tools_call', payload: skill('stop') },
      { method: 'runtime.tools_call', payload: skill('set_velocity', { vx: 0, vyaw: 0 }) },
      { method: 'runtime.cancel', payload: { options: { action_id: 'cancel-active' } } },
    ] as const;
    for (const [index, call] of stops.entries()) {
      const replied = nextReply();
      send('runtime.forward_envelope', sealed(call, index + 1));
      await replied;
      expect(replies.at(-1)?.error).toBeUndefined();
    }
    send('runtime.forward_envelope', sealed({ method: 'runtime.tools_call', payload: skill('set_velocity', { vx: 1 }) }, 9));
    expect(replies.at(-1)?.error?.code).toBe('BUSY');
    send('runtime.forward_envelope', { envelope: 'no envelope' });
    expect(replies.at(-1)?.error?.code).toBe('BUSY');
  });
});

it('a silent participant is forgotten, however many came', () => {
  const rates = createCallRates();
  for (let n = 0; n < 5_000; n += 1) expect(rates.admit(`guest-${n}`, n)).toBe(0);
  for (let n = 0; n < CALLS_AT_ONCE_MAX; n += 1) expect(rates.admit('agent', 10_000)).toBe(0);
  expect(rates.admit('agent', 10_000)).toBe(2);
  expect(rates.admit('guest-1', 10_000)).toBe(0);
});
