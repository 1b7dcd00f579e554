import { describe, expect, it } from 'vitest';
import { createForwardClock } from '../../../src/runtime/host/forward-clock.ts';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import { createTestRuntime } from '../test-runtime.ts';
import { STANDING } from '../worker/worker-runtime.ts';

const EPOCH_MS = 1_800_000_000_000;
/** From the contract: arms without a packet for this long go limp; they are looked at with each step. */
const TIMEOUT_MS = 200;
const STEP_MS = 1000 / 120;

/** A worker's body under a host, on clocks that move only while the host sleeps. */
async function createPacedWorker() {
  const { runtime } = await createTestRuntime({ profile: 'worker', signedControlRequired: false });
  const clock = { monotonicMs: 0, wallAheadMs: 0 };
  let isDone = (): boolean => true;
  let replied = '';
  const host = createSimulationHost({
    runtime,
    post: (message) => {
      if (message.kind === 'reply') replied = message.text;
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
  const ask = (method: string, payload: object) => {
    host.receive({ kind: 'call', callId: 1, requestId: 'r', method, payload: JSON.stringify(payload), callerIdentity: 'c' });
    return JSON.parse(replied);
  };
  return {
    clock,
    invoke: (name: string, input: object) => ask('runtime.tools_call', { name, input }),
    mode: (): string => ask('runtime.state', {}).robot.extra.control.upper_body.mode,
    async runUntil(condition: () => boolean) {
      isDone = condition;
      await host.run();
    },
  };
}

describe('a wall clock that is set back', () => {
  it.each([-60_000, -3_600_000, -40])('by %i ms does not hold up the watchdog of the arms', async (setBackMs) => {
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

  it('is the wall clock, also when that is set forward, and never goes back', () => {
    const { clock, pass } = createClock();
    expect(pass(1_000)).toBe(1_000);
    clock.wallMs += 9_000;
    expect(pass(1_000)).toBe(11_000);
    clock.wallMs -= 9_000;
    expect(pass(1_000)).toBe(12_000);
  });

  it('goes on while the wall clock stands', () => {
    const { clock, read } = createClock();
    clock.monotonicMs += 250;
    expect(read()).toBe(EPOCH_MS + 250);
  });

  it('at half its pace is the wall clock again after twice the time that was taken off', () => {
    const { clock, pass } = createClock(0.5);
    clock.wallMs -= 60_000;
    expect(pass(60_000)).toBe(30_000);
    expect(pass(60_000)).toBe(60_000);
    expect(pass(1_000)).toBe(61_000);
  });
});
