import { describe, expect, it } from 'vitest';
import { createForwardClock } from '../../../src/runtime/host/forward-clock.ts';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import { STANDING } from '../rcw/rcw-runtime.ts';
import { createTestRuntime } from '../test-runtime.ts';

const EPOCH_MS = 1_800_000_000_000;
/** From the contract: arms without a packet for this long go limp; each step checks them. */
const TIMEOUT_MS = 200;
const STEP_MS = 1000 / 120;

/** A worker's body under a host, on clocks that move only while the host sleeps. */
async function createPacedWorker(profile: 'worker' | 'simulator' = 'worker') {
  const { runtime } = await createTestRuntime({ profile, signedControlRequired: false });
  const clock = { monotonicMs: 0, wallAheadMs: 0 };
  let isDone = (): boolean => true;
  const replies = new Map<number, string>();
  let calls = 0;
  const host = createSimulationHost({
    runtime,
    post: (message) => {
      if (message.kind === 'reply') replies.set(message.callId, message.text);
    },
    async sleep(ms) {
      clock.monotonicMs += Math.max(0.05, ms);
      if (isDone()) host.stop();
    },
    monotonicMs: () => clock.monotonicMs,
    wallMs: () => EPOCH_MS + Math.floor(clock.monotonicMs) + clock.wallAheadMs,
    hidden: false,
    headless: true,
  });
  const start = (method: string, payload: object): number => {
    calls += 1;
    const call = { callId: calls, requestId: `r${calls}`, method, payload: JSON.stringify(payload), callerIdentity: 'c' };
    host.receive({ kind: 'call', ...call });
    return calls;
  };
  // biome-ignore lint/suspicious/noExplicitAny: replies of all methods.
  const replyTo = (callId: number): any => JSON.parse(replies.get(callId) ?? 'null');
  const ask = (method: string, payload: object) => replyTo(start(method, payload));
  return {
    clock,
    start,
    replyTo,
    ask,
    control: () => ask('runtime.state', {}).robot.extra.control,
    invoke: (name: string, input: object) => ask('runtime.tools_call', { name, input }),
    mode: (): string => ask('runtime.state', {}).robot.extra.control.upper_body.mode,
    async runUntil(condition: () => boolean) {
      isDone = condition;
      await host.run();
    },
  };
}

describe('a wall clock that is set back', () => {
  it.each([-60_000, -3_600_000, -40])('a clock set back by %i ms does not delay the watchdog of the arms', async (setBackMs) => {
    const { clock, invoke, mode, runUntil } = await createPacedWorker();
    await runUntil(() => clock.monotonicMs > 300);
    for (const untilMs of [320, 340, 360]) {
      expect(invoke('set_upper_body', STANDING)).toMatchObject({ status: 'done' });
      await runUntil(() => clock.monotonicMs >= untilMs);
    }
    invoke('set_upper_body', STANDING);
    expect(mode()).toBe('trajectory');
    const lastPacketMs = clock.monotonicMs;
    clock.wallAheadMs = setBackMs;
    await runUntil(() => mode() === 'damp' || clock.monotonicMs > lastPacketMs + 2_000);
    expect(clock.monotonicMs - lastPacketMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
    // A part of a millisecond for the wall clock's rounding.
    expect(clock.monotonicMs - lastPacketMs).toBeLessThanOrEqual(TIMEOUT_MS + STEP_MS + 1);
  });
});

describe('a wall clock that is set', () => {
  const SET_BY_MS = [300, -300, 6_000, -6_000, 3_600_000, -3_600_000];

  it.each(SET_BY_MS)('a clock set by %i ms does not make arms limp that follow poses', async (setByMs) => {
    const { clock, invoke, mode, runUntil, control } = await createPacedWorker();
    await runUntil(() => clock.monotonicMs > 300);
    for (let sent = 0; sent < 40; sent += 1) {
      if (sent === 20) clock.wallAheadMs = setByMs;
      expect(invoke('set_upper_body', STANDING)).toMatchObject({ status: 'done' });
      const nextMs = clock.monotonicMs + 20;
      await runUntil(() => clock.monotonicMs >= nextMs);
      expect(mode()).toBe('trajectory');
    }
    expect(control()).toMatchObject({ upper_body: { timeouts: 0 }, not_ready: null });
  });

  it.each(SET_BY_MS)(
    'a clock set by %i ms ends a velocity exactly at its deadline, and reports the time by the new clock',
    async (setByMs) => {
      const { clock, ask, control, runUntil } = await createPacedWorker();
      await runUntil(() => clock.monotonicMs > 300);
      const call = { name: 'set_velocity', input: { vx: 0.2 }, options: { deadline_s: 2 } };
      ask('runtime.tools_call', call);
      const fromMs = clock.monotonicMs;
      await runUntil(() => clock.monotonicMs >= fromMs + 1_000);
      clock.wallAheadMs = setByMs;
      await runUntil(() => clock.monotonicMs >= fromMs + 1_500);
      expect(control().velocity_holds).toBe(true);
      // A clock that was set back does not appear: time in a ledger moves forward.
      const aheadMs = Math.max(0, setByMs);
      expect(Math.abs(control().velocity_ends_at_ms - (EPOCH_MS + fromMs + 2_000 + aheadMs))).toBeLessThanOrEqual(2);
      await runUntil(() => !control().velocity_holds || clock.monotonicMs > fromMs + 4_000);
      expect(clock.monotonicMs - fromMs).toBeGreaterThanOrEqual(2_000 - 1);
      expect(clock.monotonicMs - fromMs).toBeLessThanOrEqual(2_000 + 2 * STEP_MS);
    },
  );

  it.each(SET_BY_MS)('a clock set by %i ms ends no action, and its duration is the time that passed', async (setByMs) => {
    const { clock, start, replyTo, runUntil, ask } = await createPacedWorker('simulator');
    await runUntil(() => clock.monotonicMs > 300);
    const fromMs = clock.monotonicMs;
    const drive = start('runtime.tools_call', {
      name: 'set_velocity',
      input: { vx: 0.2, duration_s: 1 },
      options: { deadline_s: 5 },
    });
    await runUntil(() => clock.monotonicMs >= fromMs + 500);
    clock.wallAheadMs = setByMs;
    await runUntil(() => replyTo(drive) !== null || clock.monotonicMs > fromMs + 10_000);
    const { status, meta } = replyTo(drive);
    expect(status).toBe('done');
    expect(Math.abs(meta.duration_ms - (clock.monotonicMs - fromMs))).toBeLessThan(50);
    expect(meta.finished_at_ms - meta.started_at_ms).toBe(meta.duration_ms);
    const state = ask('runtime.state', {});
    expect(state.robot.extra.sim.suspended_ms).toBe(0);
    expect(Math.abs(state.timestamp.wall_time_ms - (EPOCH_MS + clock.monotonicMs + Math.max(0, setByMs)))).toBeLessThanOrEqual(2);
  });
});

describe('time that goes forward', () => {
  function createClock(pace?: number) {
    const clock = { monotonicMs: 5, wallMs: EPOCH_MS };
    const read = createForwardClock({ monotonicMs: () => clock.monotonicMs, wallMs: () => clock.wallMs }, pace);
    return {
      read,
      clock,
      pass(ms: number): number {
        clock.monotonicMs += ms;
        clock.wallMs += ms;
        return read() - EPOCH_MS;
      },
    };
  }

  it('ledger time follows the wall clock, also when that is set forward, and never goes back', () => {
    const { clock, pass } = createClock();
    expect(pass(1_000)).toBe(1_000);
    clock.wallMs += 9_000;
    expect(pass(1_000)).toBe(11_000);
    clock.wallMs -= 9_000;
    expect(pass(1_000)).toBe(12_000);
  });

  it('ledger time continues while the wall clock stands still', () => {
    const { clock, read } = createClock();
    clock.monotonicMs += 250;
    expect(read()).toBe(EPOCH_MS + 250);
  });

  it('ledger time at half its pace meets the wall clock after twice the time by which that was set back', () => {
    const { clock, pass } = createClock(0.5);
    clock.wallMs -= 60_000;
    expect(pass(60_000)).toBe(30_000);
    expect(pass(60_000)).toBe(60_000);
    expect(pass(1_000)).toBe(61_000);
  });
});
