import { describe, expect, it } from 'vitest';
import { PAGE } from '../../../src/protocol/wire/caller.ts';
import { EMPTY_OVERLAY } from '../../../src/protocol/wire/render-state.ts';
import type { FromSimulation } from '../../../src/runtime/host/sim-messages.ts';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import { createFakeRuntime } from '../../viewer/fake-runtime.ts';

const EPOCH_MS = 1_800_000_000_000;

/** A host on a clock that moves only while it sleeps. */
function createHost(options: { hidden?: boolean; countsSleep?: boolean } = {}) {
  const { runtime, fake } = createFakeRuntime();
  const posted: FromSimulation[] = [];
  const flushed = { messages: 0 };
  const clock = { monotonicMs: 0, wallAheadMs: 0, sleptMs: 0, untilMs: 0 };
  const host = createSimulationHost({
    runtime,
    post: (message) => posted.push(message),
    flush() {
      flushed.messages = posted.length;
    },
    async sleep(ms) {
      clock.monotonicMs += Math.max(0.05, ms);
      if (clock.monotonicMs >= clock.untilMs) host.stop();
    },
    monotonicMs: () => clock.monotonicMs,
    wallMs: () => EPOCH_MS + clock.monotonicMs + clock.wallAheadMs,
    // In whole seconds, as systems report it.
    ...(options.countsSleep
      ? { sinceBootMs: () => 1_000 * Math.floor((77_700 + clock.monotonicMs + clock.sleptMs) / 1_000) }
      : {}),
    hidden: options.hidden ?? false,
  });
  const count = (kind: FromSimulation['kind']): number => posted.filter((message) => message.kind === kind).length;
  return {
    host,
    fake,
    posted,
    flushed,
    clock,
    count,
    async runFor(ms: number) {
      clock.untilMs = clock.monotonicMs + ms;
      await host.run();
    },
  };
}

describe('driving a runtime', () => {
  it('steps at the pace of the wall clock and updates the page at a rate for people', async () => {
    const { fake, count, runFor, posted } = createHost();
    await runFor(10_000);
    expect(fake.steps).toBeGreaterThanOrEqual(1199);
    expect(fake.steps).toBeLessThanOrEqual(1201);
    expect(count('frame')).toBeGreaterThan(550);
    expect(count('frame')).toBeLessThan(620);
    expect(count('state')).toBeGreaterThan(90);
    expect(count('state')).toBeLessThan(105);
    const scenes = posted.filter((message) => message.kind === 'state' && message.scene !== null);
    expect(scenes.length).toBeGreaterThan(17);
    expect(scenes.length).toBeLessThan(23);
    expect(fake.timing.realTimeFactor).toBeCloseTo(1, 1);
  });

  it('sends all its messages before each step, because a step may never end', async () => {
    const { fake, posted, flushed, runFor } = createHost();
    let waited = 0;
    fake.stepTakes = () => {
      waited += posted.length - flushed.messages;
    };
    await runFor(1_000);
    expect(posted.length).toBeGreaterThan(60);
    expect(waited).toBe(0);
  });

  it('P13: keeps its pace when hidden, draws less, and reports it', async () => {
    const { fake, count, runFor } = createHost({ hidden: true });
    await runFor(10_000);
    expect(fake.steps).toBeGreaterThanOrEqual(1199);
    expect(count('frame')).toBeLessThan(25);
    expect(fake.timing).toMatchObject({ hidden: true });
  });

  it.each([true, false])('shows its world 20 times a second to watchers only (hidden: %j)', async (hidden) => {
    const { host, count, runFor } = createHost({ hidden });
    await runFor(5_000);
    expect(count('world')).toBe(0);
    host.receive({ kind: 'watchers', update: { present: true, isNew: true, isComing: false } });
    await runFor(5_000);
    expect(count('world')).toBeGreaterThan(95);
    expect(count('world')).toBeLessThan(102);
    host.receive({ kind: 'watchers', update: { present: false, isNew: false, isComing: false } });
    await runFor(5_000);
    expect(count('world')).toBeLessThan(102);
  });

  it('P13: reports a frozen tab once with its length, before waiting calls, and does not catch up', async () => {
    const { host, fake, clock, posted, runFor } = createHost();
    await runFor(1_000);
    const before = fake.steps;
    clock.monotonicMs += 12_000;
    host.receive({ kind: 'call', callId: 7, requestId: 'r', method: 'runtime.state', payload: '{}', callerIdentity: 'c' });
    expect(fake.log.map(([what]) => what)).toEqual(['noteSuspended', 'handle']);
    expect(fake.log[0]?.[1]).toBeGreaterThanOrEqual(12_000);
    expect(posted.find((message) => message.kind === 'suspended')).toMatchObject({ gapMs: fake.log[0]?.[1] });
    expect(fake.steps).toBe(before);
  });

  it('P13: detects a machine that slept by the wall clock and by a clock that counts sleep, and reports it once', async () => {
    const { fake, clock, runFor } = createHost({ countsSleep: true });
    await runFor(1_000);
    clock.wallAheadMs = 3_600_000;
    clock.sleptMs = 3_600_000;
    await runFor(100);
    clock.wallAheadMs += 7_000;
    await runFor(100);
    expect(fake.log.filter(([what]) => what === 'noteSuspended')).toHaveLength(1);
    expect(fake.log[0]?.[1]).toBeGreaterThanOrEqual(3_599_000);
  });

  it.each([
    [true, 6_000],
    [true, 3_600_000],
    [false, 3_600_000],
    [true, -3_600_000],
  ])('P13: does not take a clock that was set for a freeze (sleep is counted: %j, set by %i ms)', async (countsSleep, setMs) => {
    const { fake, clock, count, runFor } = createHost({ countsSleep });
    await runFor(1_000);
    clock.wallAheadMs = setMs;
    await runFor(1_000);
    expect(fake.log.filter(([what]) => what === 'noteSuspended')).toEqual([]);
    expect(count('suspended')).toBe(0);
    expect(fake.steps).toBeGreaterThanOrEqual(239);
  });

  it('never lets the time in the ledger go back', async () => {
    const { host, fake, clock } = createHost();
    const call = {
      kind: 'call',
      callId: 1,
      requestId: 'r',
      method: 'runtime.state',
      payload: '{}',
      callerIdentity: 'c',
    } as const;
    host.receive(call);
    clock.wallAheadMs = -60_000;
    host.receive(call);
    const times = fake.log.map(([, handled]) => (handled as { nowMs: number }).nowMs);
    expect(times).toEqual([EPOCH_MS, EPOCH_MS]);
  });

  it('answers calls between slices when the steps are slower than the clock, and reports the real factor', async () => {
    const { host, fake, clock, posted, runFor } = createHost();
    fake.stepTakes = () => {
      clock.monotonicMs += 20;
    };
    await runFor(5_000);
    expect(fake.steps).toBeGreaterThan(200);
    expect(fake.steps).toBeLessThan(260);
    expect(fake.timing.realTimeFactor).toBeLessThan(0.5);
    host.receive({ kind: 'call', callId: 3, requestId: 'r3', method: 'runtime.state', payload: '{}', callerIdentity: 'c' });
    expect(posted.at(-1)).toEqual({ kind: 'reply', callId: 3, text: '{"to":"r3"}' });
  });

  it('follows the speed that the runtime asks for', async () => {
    const { fake, runFor } = createHost();
    fake.speed = 5;
    await runFor(2_000);
    expect(fake.steps).toBeGreaterThanOrEqual(1198);
    expect(fake.steps).toBeLessThanOrEqual(1202);
  });

  it('sends the overlay of the world only when it changed', async () => {
    const { fake, posted, runFor } = createHost();
    const overlays = () => posted.flatMap((message) => (message.kind === 'frame' && message.overlay ? [message.overlay] : []));
    await runFor(500);
    expect(overlays()).toEqual([EMPTY_OVERLAY]);
    fake.overlay = { ...EMPTY_OVERLAY, targetEntityId: 'cube_4' };
    await runFor(500);
    expect(overlays()).toEqual([EMPTY_OVERLAY, fake.overlay]);
  });

  it('passes on the stop button and the outcome of a capture', () => {
    const { host, fake } = createHost();
    host.receive({ kind: 'cancel-active', by: PAGE });
    host.receive({ kind: 'capture-finished', actionId: 'a', outcome: { ok: true, byteLength: 3 } });
    expect(fake.log).toEqual([
      ['cancelActive', EPOCH_MS, PAGE],
      ['finishCapture', 'a', { ok: true, byteLength: 3 }, EPOCH_MS],
    ]);
  });
});
