/**
 * A call over a participant's limit is accepted if it stops the robot. Sealed calls must be inspected for that, and a look costs
 * time.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CALLS_AT_ONCE_MAX } from '../../../src/protocol/wire/limits.ts';
import type { FromSimulation } from '../../../src/runtime/host/sim-messages.ts';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import { createForge, pairOf, ROBOT, SESSION, START_MS } from '../../protocol/helpers/forge.ts';
import { createFakeRuntime } from '../../viewer/fake-runtime.ts';

const looked = vi.hoisted(() => ({ count: 0, ms: 0, eachMs: 0.4 }));
vi.mock(import('../../../src/runtime/host/always-taken.ts'), async (original) => {
  const actual = await original();
  const isAlwaysTaken: typeof actual.isAlwaysTaken = (method, payload) => {
    looked.count += 1;
    looked.ms += looked.eachMs;
    return actual.isAlwaysTaken(method, payload);
  };
  return { ...actual, isAlwaysTaken };
});
/** The openings of envelopes that are under way: a signature is checked outside this thread, in real time. */
const opening = vi.hoisted(() => new Set<Promise<unknown>>());
vi.mock(import('../../../src/protocol/signed/signed-control.ts'), async (original) => {
  const actual = await original();
  const openEnvelope: typeof actual.openEnvelope = (...request) => {
    const opened = actual.openEnvelope(...request);
    opening.add(opened);
    return opened.finally(() => opening.delete(opened));
  };
  return { ...actual, openEnvelope };
});
beforeEach(() => {
  Object.assign(looked, { count: 0, ms: 0 });
});

const forge = createForge(1);
const ENVELOPE = 'runtime.forward_envelope';
const sealed = (name: string, input: object, seq: number): string =>
  JSON.stringify({ envelope: forge.envelope({ seq, call: { method: 'runtime.tools_call', payload: { name, input } } }) });
const DRIVE = sealed('set_velocity', { vx: 0.2 }, 1);

/**
 * A host whose clock advances by its sleep, by a tick, and with each look.
 * @param opens whether it opens envelopes, which may also need a look
 */
function createHost(opens = true) {
  const { runtime, fake } = createFakeRuntime();
  const replies = new Map<number, { to?: string; error?: { code: string } }>();
  let sleptMs = 0;
  let ids = 0;
  let eachTick = (): boolean => false;
  const host = createSimulationHost({
    runtime,
    post(message: FromSimulation) {
      if (message.kind === 'reply') replies.set(message.callId, JSON.parse(message.text));
    },
    async sleep() {
      sleptMs += 8;
      await new Promise((resolve) => setImmediate(resolve));
      // A tick is long compared with a check of a signature, so the work of a tick ends before the next.
      await Promise.all(opening);
      if (eachTick()) host.stop();
    },
    monotonicMs: () => sleptMs + looked.ms,
    wallMs: () => START_MS + sleptMs + looked.ms,
    hidden: true,
    headless: true,
    ...(opens ? { signedControl: { trustedKeys: () => forge.trusted, robotId: ROBOT, session: SESSION } } : {}),
  });
  const send = (callerIdentity: string, method: string, payload: string): number => {
    ids += 1;
    host.receive({ kind: 'call', callId: ids, requestId: `${ids}`, method, payload, callerIdentity });
    return ids;
  };
  return {
    send,
    reply: (id: number) => replies.get(id),
    /** Sends all calls that a participant may send at once. */
    exhaust(caller: string): void {
      for (let n = 0; n < CALLS_AT_ONCE_MAX; n += 1) send(caller, 'runtime.state', '{}');
      looked.count = 0;
    },
    handled: () => fake.log.filter(([what]) => what === 'handle').map(([, call]) => (call as { payload: string }).payload),
    /** @param each called for every tick; true ends the run */
    async run(each: () => boolean) {
      eachTick = each;
      await host.run();
    },
  };
}

/** A look that takes 0.4 ms: the third ends a millisecond. */
const MOST_A_TICK = 3;

describe('envelopes over the limit of their participant', () => {
  it('envelopes over the limit cost a bounded number of looks per tick, however many come', async () => {
    const robot = createHost(false);
    robot.exhaust('flooder');
    const sent: number[] = [];
    let ticks = 0;
    let most = 0;
    await robot.run(() => {
      // Counts the looks of the tick that has just ended, and those as these calls come, before the next.
      for (let n = 0; n < 300 && ticks < 20; n += 1) sent.push(robot.send('flooder', ENVELOPE, DRIVE));
      most = Math.max(most, looked.count);
      looked.count = 0;
      ticks += 1;
      return ticks > 20 && sent.every((id) => robot.reply(id) !== undefined);
    });
    expect(most).toBeLessThanOrEqual(MOST_A_TICK);
    // All except the one in two milliseconds that it may send.
    const busy = sent.filter((id) => robot.reply(id)?.error?.code === 'BUSY');
    expect(busy.length).toBeGreaterThan(0.9 * sent.length);
  });

  it('envelopes that are too long for a stop are rejected without a look', async () => {
    const robot = createHost();
    robot.exhaust('flooder');
    const id = robot.send('flooder', ENVELOPE, JSON.stringify({ envelope: 'A'.repeat(12_000) }));
    expect([robot.reply(id)?.error?.code, looked.count]).toEqual(['BUSY', 0]);
  });

  it('envelopes over the limit do not block a signed stop of their own carrier', async () => {
    const robot = createHost();
    robot.exhaust('carrier');
    let [ticks, stop] = [0, 0];
    await robot.run(() => {
      // As many as can be looked at, behind a queue of them.
      for (let n = 0; n < (ticks === 0 ? 200 : MOST_A_TICK - 1); n += 1) robot.send('carrier', ENVELOPE, DRIVE);
      ticks += 1;
      if (ticks === 10) stop = robot.send('carrier', ENVELOPE, sealed('stop', {}, 2));
      return (stop > 0 && robot.reply(stop) !== undefined) || ticks > 400;
    });
    expect(robot.reply(stop)).toEqual({ to: `${stop}` });
    expect(robot.handled().at(-1)).toBe('{"name":"stop","input":{}}');
  });

  it('envelopes of one participant delay another participant’s stop by at most one or two looks', async () => {
    const robot = createHost();
    robot.exhaust('flooder');
    robot.exhaust('holder');
    let [ticks, stop, sentAt] = [0, 0, 0];
    await robot.run(() => {
      for (let n = 0; n < 300; n += 1) robot.send('flooder', ENVELOPE, DRIVE);
      ticks += 1;
      if (ticks === 5) [stop, sentAt] = [robot.send('holder', ENVELOPE, sealed('stop', {}, 3)), ticks];
      return (stop > 0 && robot.reply(stop) !== undefined) || ticks > 100;
    });
    expect(robot.reply(stop)).toEqual({ to: `${stop}` });
    expect(ticks - sentAt).toBeLessThanOrEqual(5);
  });

  it('unsigned envelopes that claim to stop are bounded by their room and stop nothing', async () => {
    const robot = createHost();
    robot.exhaust('flooder');
    const call = { method: 'runtime.tools_call', payload: { name: 'stop', input: {} } };
    const forged = JSON.stringify({ envelope: forge.envelope({ call }, {}, pairOf().privateKey) });
    const sent: number[] = [];
    let ticks = 0;
    await robot.run(() => {
      for (let n = 0; n < 20 && ticks < 50; n += 1) sent.push(robot.send('flooder', ENVELOPE, forged));
      ticks += 1;
      return sent.every((id) => robot.reply(id) !== undefined);
    });
    expect(sent.every((id) => robot.reply(id)?.error !== undefined)).toBe(true);
    expect(robot.handled()).not.toContain('{"name":"stop","input":{}}');
  });
});
