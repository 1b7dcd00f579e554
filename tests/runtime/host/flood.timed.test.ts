/**
 * A participant without a grant calls as fast as it can, beside the owner of the robot. Clocks move while the host sleeps and
 * while calls are served.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CALL_CHARS_WAITING_MAX, CALLS_AT_ONCE_MAX, STOPS_AT_ONCE_MAX } from '../../../src/protocol/wire/limits.ts';
import type { FromSimulation } from '../../../src/runtime/host/sim-messages.ts';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import { createForge, ROBOT, SESSION, START_MS } from '../../protocol/helpers/forge.ts';
import { rcwStateOf, STANDING } from '../rcw/rcw-runtime.ts';
import { atPose, createTestRuntime } from '../test-runtime.ts';

/** The maximum cost of a call before a check. */
const CALL_MS = 2;
const STRANGER = 'stranger';
const HOSTILE = `"${'\\"'.repeat(7_000)}`;

/** Signatures that other threads are checking. */
const checks = new Set<Promise<unknown>>();
beforeAll(() => {
  const { subtle } = globalThis.crypto;
  const verify = subtle.verify.bind(subtle);
  vi.spyOn(subtle, 'verify').mockImplementation((...asked: Parameters<typeof verify>) => {
    const check = verify(...asked);
    checks.add(check);
    const done = (): void => void checks.delete(check);
    check.then(done, done);
    return check;
  });
});
afterAll(() => {
  vi.restoreAllMocks();
});

async function createFloodedRobot(profile: 'simulator' | 'worker', signedControlRequired = false) {
  const t = await createTestRuntime({ profile, signedControlRequired });
  const forge = createForge(1);
  const clock = { ms: 0, steps: 0 };
  const posted: FromSimulation[] = [];
  const replies = new Map<number, string>();
  let isDone = (): boolean => true;
  let meanwhile = (): void => undefined;
  let callIds = 0;
  let served = 0;
  const host = createSimulationHost({
    runtime: {
      ...t.runtime,
      handle(call, reply) {
        if (call.callerIdentity?.startsWith(STRANGER)) {
          clock.ms += CALL_MS;
          served += 1;
        }
        t.runtime.handle(call, reply);
      },
      step(nowMs) {
        clock.steps += 1;
        t.runtime.step(nowMs);
      },
    },
    post(message) {
      posted.push(message);
      if (message.kind === 'reply') replies.set(message.callId, message.text);
    },
    async sleep(ms) {
      clock.ms += Math.max(0.05, ms);
      meanwhile();
      await new Promise((resolve) => setImmediate(resolve));
      // On a machine under load, other threads would check for many ticks of this clock.
      await Promise.allSettled(checks);
      if (isDone()) host.stop();
    },
    monotonicMs: () => clock.ms,
    wallMs: () => START_MS + Math.floor(clock.ms),
    hidden: false,
    headless: true,
    ...(signedControlRequired ? { signedControl: { trustedKeys: () => forge.trusted, robotId: ROBOT, session: SESSION } } : {}),
  });
  const send = (callerIdentity: string, method: string, payload: string): number => {
    callIds += 1;
    host.receive({ kind: 'call', callId: callIds, requestId: `r${callIds}`, method, payload, callerIdentity });
    return callIds;
  };
  return {
    t,
    forge,
    clock,
    send,
    posted,
    /** Calls of other participants that were served. */
    served: () => served,
    flood(count: number, method = 'runtime.tools_call', payload = HOSTILE): number[] {
      return Array.from({ length: count }, () => send(STRANGER, method, payload));
    },
    call: (name: string, input: object) => send('owner', 'runtime.tools_call', JSON.stringify({ name, input })),
    // biome-ignore lint/suspicious/noExplicitAny: replies of all methods.
    replyTo: (callId: number): any => JSON.parse(replies.get(callId) ?? 'null'),
    suspended: () => posted.filter(({ kind }) => kind === 'suspended'),
    async runUntil(condition: () => boolean, each: () => void = () => undefined) {
      isDone = condition;
      meanwhile = each;
      await host.run();
    },
    async runFor(ms: number, each?: () => void) {
      const untilMs = clock.ms + ms;
      await this.runUntil(() => clock.ms >= untilMs, each);
    },
  };
}

describe('a flood of calls', () => {
  it('a flood of calls is answered call by call while another caller’s walk continues to its end, at its pace', async () => {
    const robot = await createFloodedRobot('simulator');
    await robot.runFor(100);
    const walk = robot.call('go_to', atPose(0, -1.5));
    await robot.runFor(100);
    const [stepsBefore, beganMs] = [robot.clock.steps, robot.clock.ms];
    let flood: number[] = [];
    await robot.runUntil(
      () => robot.replyTo(flood.at(-1) ?? 0) !== null,
      () => {
        // Two seconds of work at once.
        if (flood.length === 0) flood = robot.flood(1_000);
      },
    );
    const passedMs = robot.clock.ms - beganMs;
    expect(passedMs).toBeGreaterThan(2_000);
    expect((robot.clock.steps - stepsBefore) / (passedMs * 0.12)).toBeGreaterThan(0.95);
    expect(flood.map((id) => robot.replyTo(id).error.code)).toEqual(flood.map(() => 'INVALID_INPUT'));
    await robot.runUntil(() => robot.replyTo(walk) !== null);
    expect(robot.replyTo(walk)).toMatchObject({ status: 'done' });
    expect(robot.suspended()).toEqual([]);
  });

  it('a flood of calls that never ends delays no pose of the owner: no arm goes limp', async () => {
    const robot = await createFloodedRobot('worker');
    await robot.runFor(100);
    let nextPoseMs = robot.clock.ms;
    let sent = 0;
    await robot.runFor(3_000, () => {
      // Two seconds of work at once, then more than can be done.
      robot.flood(sent === 1 ? 1_000 : 8);
      if (robot.clock.ms < nextPoseMs) return;
      nextPoseMs += 20;
      sent += 1;
      robot.call('set_upper_body', STANDING);
    });
    expect(sent).toBeGreaterThan(120);
    expect(rcwStateOf(robot.t).upperBody).toMatchObject({ timeouts: 0, session: { packets: expect.any(Number) } });
    expect(rcwStateOf(robot.t).upperBody.session?.packets).toBeGreaterThan(sent - 3);
    expect(robot.suspended()).toEqual([]);
  });

  it.each([
    ['runtime.tools_call', HOSTILE],
    ['runtime.forward_envelope', HOSTILE],
    ['runtime.forward_envelope', JSON.stringify({ envelope: 'A'.repeat(15_000) })],
  ])('a flood of unsigned calls of %s does not displace a signed velocity', async (method, payload) => {
    const robot = await createFloodedRobot('worker', true);
    await robot.runFor(100);
    const claims = { call: { method: 'runtime.tools_call', payload: { name: 'set_velocity', input: { vx: 0.2 } } } };
    const drive = robot.send('owner', 'runtime.forward_envelope', JSON.stringify({ envelope: robot.forge.envelope(claims) }));
    await robot.runUntil(() => robot.replyTo(drive) !== null);
    expect(robot.replyTo(drive)).toMatchObject({ status: 'done', result: { command: { vx: 0.2 }, holds: true } });
    let isFirst = true;
    await robot.runFor(3_000, () => {
      robot.flood(isFirst ? 1_000 : 4, method, payload);
      isFirst = false;
    });
    const state = robot.send('owner', 'runtime.state', '{}');
    await robot.runUntil(() => robot.replyTo(state) !== null);
    expect(robot.replyTo(state).robot.extra).toMatchObject({
      command: { vx: 0.2 },
      control: { velocity_holds: true },
      sim: { suspended_ms: 0 },
    });
    expect(robot.suspended()).toEqual([]);
  });

  it.each([
    ['runtime.tools_call', HOSTILE],
    ['runtime.cancel', JSON.stringify({ options: { action_id: 'x'.repeat(3_000) } })],
    ['runtime.cancel', '{"options": {"action_id": "nobody"}}'],
  ])(
    'an endless flood of unsigned calls of %s does not block a signed stop, also behind another envelope',
    async (method, payload) => {
      const robot = await createFloodedRobot('worker', true);
      await robot.runFor(100);
      const sealed = (name: string, input: object, seq: number) =>
        robot.send(
          'owner',
          'runtime.forward_envelope',
          JSON.stringify({
            envelope: robot.forge.envelope({ seq, call: { method: 'runtime.tools_call', payload: { name, input } } }),
          }),
        );
      let stop = 0;
      let beats = 0;
      const floodedMs = robot.clock.ms;
      await robot.runUntil(
        () => robot.replyTo(stop) !== null || robot.clock.ms - floodedMs > 5_000,
        () => {
          // More than a tick can do, so that the queue is never empty.
          robot.flood(beats === 0 ? 200 : 10, method, payload);
          beats += 1;
          if (beats !== 20) return;
          sealed('set_velocity', { vx: 0.2 }, 1);
          sealed('set_velocity', { vx: 0.3 }, 2);
          stop = sealed('stop', {}, 3);
        },
      );
      expect(robot.replyTo(stop)).toMatchObject({ status: 'done' });
      expect(robot.suspended()).toEqual([]);
    },
  );

  it.each([
    ['plain', false],
    ['signed', true],
  ] as const)('a flood by five hundred participants does not make a %s stop wait for a turn of each', async (_, signed) => {
    const robot = await createFloodedRobot('worker', signed);
    await robot.runFor(100);
    const strangers = Array.from({ length: 500 }, (_each, index) => `stranger-${index}`);
    const call = { method: 'runtime.tools_call', payload: { name: 'stop', input: {} } };
    let [stop, before] = [0, 0];
    await robot.runUntil(
      () => robot.replyTo(stop) !== null,
      () => {
        if (stop !== 0) return;
        // Each call costs as much as one may.
        for (const stranger of strangers) for (let count = 0; count < 3; count += 1) robot.send(stranger, call.method, '{}');
        before = robot.served();
        stop = signed
          ? robot.send('owner', 'runtime.forward_envelope', JSON.stringify({ envelope: robot.forge.envelope({ seq: 1, call }) }))
          : robot.call('stop', {});
      },
    );
    expect(robot.replyTo(stop), JSON.stringify(robot.replyTo(stop))).toMatchObject({ status: 'done' });
    expect(robot.served() - before).toBeLessThan(20);
  });

  it('a flood by sixty participants with a thousand large calls each keeps sixteen megabytes, and leaves room for the owner', async () => {
    const robot = await createFloodedRobot('worker');
    await robot.runFor(100);
    const strangers = Array.from({ length: 60 }, (_each, index) => `stranger-${index}`);
    const large = JSON.stringify({ name: 'set_velocity', input: { vx: 0 }, filler: 'x'.repeat(14_000) });
    let refused = 0;
    let [stop, state] = [0, 0];
    await robot.runUntil(
      () => robot.replyTo(stop) !== null && robot.replyTo(state) !== null,
      () => {
        if (stop !== 0) return;
        const sent = strangers.flatMap((stranger) =>
          Array.from({ length: 1_000 }, () => robot.send(stranger, 'runtime.tools_call', large)),
        );
        refused = sent.filter((id) => robot.replyTo(id)?.error?.code === 'BUSY').length;
        state = robot.send('owner', 'runtime.state', '{}');
        stop = robot.call('stop', {});
      },
    );
    const keptChars = (60_000 - refused) * large.length;
    expect(keptChars).toBeGreaterThan(CALL_CHARS_WAITING_MAX / 2);
    expect(keptChars).toBeLessThan(CALL_CHARS_WAITING_MAX * (1 + Math.log(62)));
    expect(robot.replyTo(stop)).toMatchObject({ status: 'done' });
    expect(robot.replyTo(state).error).toBeUndefined();
  });

  it('a flood of stops is bounded too: the queue of one caller stops growing', async () => {
    const robot = await createFloodedRobot('worker', true);
    await robot.runFor(100);
    let sent: number[] = [];
    await robot.runFor(20, () => {
      if (sent.length === 0) sent = robot.flood(2_000, 'runtime.cancel', '{"options": {"action_id": "nobody"}}');
    });
    const refused = sent.filter((id) => robot.replyTo(id)?.error.code === 'BUSY').length;
    expect(refused).toBeGreaterThan(2_000 - CALLS_AT_ONCE_MAX - STOPS_AT_ONCE_MAX - 50);
    const answered = () => sent.every((id) => robot.replyTo(id) !== null);
    await robot.runUntil(answered);
    const later = robot.send(STRANGER, 'runtime.state', '{}');
    await robot.runUntil(() => robot.replyTo(later) !== null);
    expect(robot.replyTo(later).error).toBeUndefined();
  });

  it('a flood of calls does not hide that the tab was suspended in the middle of it', async () => {
    const robot = await createFloodedRobot('worker');
    await robot.runFor(100);
    const drive = robot.call('set_velocity', { vx: 0.2 });
    await robot.runUntil(() => robot.replyTo(drive) !== null);
    await robot.runFor(100, () => robot.flood(40));
    robot.clock.ms += 1_500;
    robot.flood(1);
    expect(robot.suspended()).toMatchObject([{ gapMs: expect.any(Number) }]);
    await robot.runFor(1_000);
    expect(robot.suspended()).toHaveLength(1);
    expect(rcwStateOf(robot.t).heldVelocity.end).toBeNull();
    const state = robot.send('owner', 'runtime.state', '{}');
    await robot.runUntil(() => robot.replyTo(state) !== null);
    expect(robot.replyTo(state).robot.extra.control.velocity_holds).toBe(false);
  });
});
