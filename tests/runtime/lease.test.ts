import { describe, expect, it } from 'vitest';
import { PAGE, type PageMark } from '../../src/protocol/wire/caller.ts';
import { ASKERS_MAX, DRIVER_SILENT_MS } from '../../src/protocol/wire/driver.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../src/protocol/wire/limits.ts';
import { ask, driverOf, head, METHOD, refused } from './lease-calls.ts';
import { createTestRuntime, entity, type PendingCall, type Reply, type TestRuntime } from './test-runtime.ts';

const SILENT_MS = DRIVER_SILENT_MS.simulator;
/** As the page calls, or an agent in its browser. */
function callFromPage(t: TestRuntime, method: string, payload: unknown, mark?: PageMark): PendingCall {
  const made: PendingCall = { reply: null, replies: 0 };
  const call = { requestId: 'page', method, payload: JSON.stringify(payload), callerIdentity: null, mark, nowMs: t.nowMs };
  t.runtime.handle(call, (text) => {
    made.reply = JSON.parse(text);
    made.replies += 1;
  });
  return made;
}
const fromPage = (...call: Parameters<typeof callFromPage>): Reply => callFromPage(...call).reply;

describe('the driver and its lease', () => {
  it('without a driver, every caller commands', async () => {
    const t = await createTestRuntime();
    expect(driverOf(t)).toBeNull();
    expect(t.finish(t.start('set_head', { yaw: 0.1 }, undefined, 'ann')).status).toBe('done');
    expect(t.finish(t.start('set_head', { yaw: 0 }, undefined, 'bob')).status).toBe('done');
    expect(t.events).toEqual([]);
  });

  it('a taken lease rejects the commands of others with the driver, its time and how to ask', async () => {
    const t = await createTestRuntime();
    expect(ask(t, 'ann', 'take', { name: 'Ann', kind: 'agent' })).toMatchObject({
      status: 'done',
      result: {
        you_drive: true,
        driver: { identity: 'ann', name: 'Ann', kind: 'agent', asked_by: [] },
        renew_within_ms: SILENT_MS,
      },
    });
    const sinceMs = driverOf(t).since_ms;
    const { error } = t.start('go_to', entity('pad_A'), undefined, 'bob').reply;
    expect(error.message).toContain('the agent Ann drives');
    expect(error).toMatchObject({
      code: 'NOT_CONTROLLER',
      details: {
        driver: { identity: 'ann', name: 'Ann', kind: 'agent', since_ms: sinceMs },
        since_ms: sinceMs,
        ask_with: { method: METHOD, payload: { action: 'ask' } },
        attempted: false,
        world_changed: 'no',
        retryable: true,
      },
    });
    expect(t.finish(t.start('set_head', { yaw: 0 }, undefined, 'ann')).status).toBe('done');
    expect(t.events).toMatchObject([{ type: 'driver_changed', why: 'taken', driver: { identity: 'ann' }, previous: null }]);
  });

  it('reads, pictures, stops of any caller and the emergency stop remain free', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    for (const read of ['runtime.state', 'runtime.scene_state', 'runtime.capabilities', 'runtime.tools_list', 'runtime.action'])
      expect(t.send(read, {}, 'bob').reply.status).not.toBe('failed');
    expect(t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } }, 'bob').replies).toBe(0);
    for (const stop of [
      () => t.start('cancel', {}, undefined, 'bob'),
      () => t.start('set_velocity', { vx: 0 }, undefined, 'bob'),
      () => t.send('runtime.cancel', {}, 'bob'),
    ]) {
      const walk = t.start('go_to', entity('pad_A'), undefined, 'ann');
      t.advance(60);
      t.finish(stop());
      expect(t.finish(walk).error).toMatchObject({ code: 'CANCELLED' });
    }
    expect(t.finish(t.send('runtime.emergency_stop', {}, 'bob')).result.stands).toBe(true);
    expect(driverOf(t).identity).toBe('ann');
    expect(t.events.at(-1)).toMatchObject({ type: 'emergency_stop', emergency_stop: { by: 'bob' } });
  });

  it('a repeat of a call joins its first answer, also after the lease has another holder (promise P5)', async () => {
    const t = await createTestRuntime();
    const first = t.finish(t.start('set_head', { yaw: 0.2 }, { action_id: 'mine' }, 'bob'));
    ask(t, 'ann', 'take');
    expect(t.start('set_head', { yaw: 0.2 }, { action_id: 'mine' }, 'bob').reply).toEqual(first);
    expect(t.start('set_head', { yaw: 0.3 }, { action_id: 'mine' }, 'bob').reply.error.code).toBe('DUPLICATE_ACTION');
    expect(t.start('set_head', { yaw: 0.3 }, { action_id: 'other' }, 'bob').reply).toMatchObject(refused);
    // A rejection is in no list: the id runs once the caller may drive.
    ask(t, 'ann', 'release');
    expect(t.finish(t.start('set_head', { yaw: 0.3 }, { action_id: 'other' }, 'bob')).status).toBe('done');
  });

  it('the caller of a running action learns that it lost the lease, and the robot stands', async () => {
    const t = await createTestRuntime();
    const walk = t.start('go_to', entity('pad_C'), undefined, 'bob');
    t.advance(120);
    ask(t, 'ann', 'take', { name: 'Ann', kind: 'person' });
    expect(t.finish(walk, 1).error).toMatchObject({
      code: 'NOT_CONTROLLER',
      message: expect.stringContaining('the person Ann drives'),
      details: { lost_by: 'taken', driver: { identity: 'ann' }, attempted: true, world_changed: 'yes' },
    });
    expect(t.read('runtime.state').robot.status).toBe('ready');
  });

  it('the lease passes on by asking and handing over', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    expect(ask(t, 'ann', 'give', { to: 'bob' }).error).toMatchObject({ code: 'INVALID_INPUT', details: { allowed: [] } });
    expect(ask(t, 'bob', 'take')).toMatchObject(refused);
    expect(ask(t, 'bob', 'ask', { name: 'Bob' })).toMatchObject({ status: 'done', result: { you_drive: false } });
    expect(t.events.at(-1)).toMatchObject({
      type: 'control_asked',
      asker: { identity: 'bob', name: 'Bob' },
      driver: { identity: 'ann' },
    });
    ask(t, 'bob', 'ask');
    expect(driverOf(t).asked_by).toMatchObject([{ identity: 'bob', name: 'Bob' }]);
    expect(t.events).toHaveLength(2);
    expect(ask(t, 'bob', 'give', { to: 'bob' })).toMatchObject(refused);
    expect(ask(t, 'ann', 'give', { to: 'eve' }).error).toMatchObject({ code: 'INVALID_INPUT', details: { allowed: ['bob'] } });
    const walk = t.start('go_to', entity('pad_C'), undefined, 'ann');
    t.advance(30);
    expect(ask(t, 'ann', 'give', { to: 'bob' })).toMatchObject({ result: { you_drive: false, driver: { identity: 'bob' } } });
    expect(t.finish(walk, 1).error).toMatchObject({ code: 'NOT_CONTROLLER', details: { lost_by: 'given' } });
    expect(head(t, 'ann')).toMatchObject(refused);
    expect(t.finish(t.start('set_head', { yaw: 0 }, undefined, 'bob')).status).toBe('done');
    expect(t.events.at(-1)).toMatchObject({ why: 'given', driver: { identity: 'bob' }, previous: { identity: 'ann' } });
  });

  it('a handover without a name goes to the first asker, and a withdrawn question does not count', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    for (const asker of ['bob', 'eve', 'joe']) ask(t, asker, 'ask');
    expect(ask(t, 'bob', 'release')).toMatchObject({ status: 'done', result: { driver: { identity: 'ann' } } });
    t.runtime.noteLeft('eve', t.nowMs);
    expect(ask(t, 'ann', 'give').result.driver).toMatchObject({ identity: 'joe', asked_by: [] });
  });

  it('a question takes the lease if no one drives', async () => {
    const t = await createTestRuntime();
    expect(ask(t, 'bob', 'ask').result).toMatchObject({ you_drive: true, driver: { identity: 'bob' } });
  });

  it('the lease ends by release, once, and a repeat of any action is safe', async () => {
    const t = await createTestRuntime();
    expect(ask(t, 'ann', 'take')).toMatchObject({ status: 'done' });
    const sinceMs = driverOf(t).since_ms;
    t.advance(5);
    expect(ask(t, 'ann', 'take').result.driver.since_ms).toBe(sinceMs);
    expect(ask(t, 'bob', 'release').result.driver.identity).toBe('ann');
    expect(ask(t, 'ann', 'release')).toMatchObject({ status: 'done', result: { driver: null, you_drive: false } });
    expect(ask(t, 'ann', 'release')).toMatchObject({ status: 'done', result: { driver: null } });
    expect(ask(t, 'ann', 'renew').error).toMatchObject({ code: 'NOT_CONTROLLER', details: { driver: null, retryable: false } });
    expect(t.events.map((event) => 'why' in event && event.why)).toEqual(['taken', 'released']);
  });

  it('the lease ends when its driver leaves the room, and not when others leave', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    t.runtime.noteLeft('bob', t.nowMs);
    expect(driverOf(t).identity).toBe('ann');
    const walk = t.start('go_to', entity('pad_C'), undefined, 'ann');
    t.advance(60);
    t.runtime.noteLeft('ann', t.nowMs);
    expect(t.finish(walk, 1).error).toMatchObject({ code: 'NOT_CONTROLLER', details: { lost_by: 'left', driver: null } });
    expect(t.events.at(-1)).toMatchObject({ why: 'left', driver: null, previous: { identity: 'ann' } });
  });

  it.each([
    ['a call of any kind', 'runtime.state', {}],
    ['a renewal', METHOD, { action: 'renew' }],
  ])('the lease ends after silence to the millisecond; %s is a sign of life', async (_, method, payload) => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    t.nowMs += SILENT_MS - 1;
    expect(t.send(method, payload, 'ann').reply.status).not.toBe('failed');
    t.nowMs += SILENT_MS - 1;
    t.runtime.step(t.nowMs);
    expect(driverOf(t).identity).toBe('ann');
    t.nowMs += 1;
    t.runtime.step(t.nowMs);
    expect(driverOf(t)).toBeNull();
    expect(t.events.at(-1)).toMatchObject({ why: 'silent', previous: { identity: 'ann' } });
  });

  it('the lease is lost to the next call if calls leave no time for steps, also on a broken body', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    t.core.fault = 'fault-1';
    t.nowMs += SILENT_MS;
    expect(driverOf(t)).toBeNull();
  });

  it.each([1_001, 9_999, 60_000, 3_600_000])('a freeze of the runtime of %i ms does not count as silence', async (gapMs) => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    ask(t, 'bob', 'ask');
    t.nowMs += 5_000 + gapMs;
    t.runtime.noteSuspended(gapMs, t.nowMs);
    t.runtime.step(t.nowMs);
    expect(driverOf(t)).toMatchObject({ identity: 'ann', asked_by: [{ identity: 'bob' }] });
    t.nowMs += 4_999;
    t.runtime.step(t.nowMs);
    expect(driverOf(t).identity).toBe('ann');
    t.nowMs += 1;
    t.runtime.step(t.nowMs);
    expect(driverOf(t)).toBeNull();
  });

  it('a sleep that the clock did not count does not extend the lease', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    t.nowMs += 100;
    t.runtime.noteSuspended(600_000, t.nowMs);
    t.nowMs += SILENT_MS;
    t.runtime.step(t.nowMs);
    expect(driverOf(t)).toBeNull();
  });

  it('an asker that stops repeating its question is forgotten', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    ask(t, 'bob', 'ask');
    t.nowMs += SILENT_MS - 1;
    ask(t, 'ann', 'renew');
    expect(driverOf(t).asked_by).toHaveLength(1);
    t.nowMs += 1;
    t.runtime.step(t.nowMs);
    expect(driverOf(t)).toMatchObject({ identity: 'ann', asked_by: [] });
  });

  describe('an agent in the browser of the page', () => {
    const LOOK = { name: 'set_head', input: { yaw: 0.1 } };
    const agent = (t: TestRuntime, action: string) => fromPage(t, METHOD, { action, name: 'Agent', kind: 'agent' }, 'agent');

    it('is another caller than the person at the page, who displaces it', async () => {
      const t = await createTestRuntime();
      expect(agent(t, 'take').result).toMatchObject({ you_drive: true, driver: { identity: null, kind: 'agent' } });
      expect(fromPage(t, 'runtime.tools_call', LOOK)).toMatchObject(refused);
      expect(fromPage(t, METHOD, { action: 'release' }).result.driver.kind).toBe('agent');
      expect(fromPage(t, METHOD, { action: 'take' }).result).toMatchObject({ you_drive: true, driver: { kind: 'person' } });
      expect(fromPage(t, 'runtime.tools_call', LOOK, 'agent')).toMatchObject(refused);
      expect(agent(t, 'renew').error.details).toMatchObject({ lost_by: 'taken_over' });
    });

    it('does not displace a driver, and gets the robot by asking', async () => {
      const t = await createTestRuntime();
      ask(t, 'ann', 'take');
      expect(agent(t, 'take')).toMatchObject(refused);
      expect(fromPage(t, 'runtime.tools_call', LOOK, 'agent')).toMatchObject(refused);
      expect(agent(t, 'ask').result.driver.asked_by).toMatchObject([{ identity: null, name: 'Agent', kind: 'agent' }]);
      expect(ask(t, 'ann', 'give').result.driver).toMatchObject({ identity: null, kind: 'agent' });
      expect(agent(t, 'renew').result.you_drive).toBe(true);
    });

    it('loses its running action to the person who takes over, and may still stop the robot', async () => {
      const t = await createTestRuntime();
      agent(t, 'take');
      const walk = callFromPage(t, 'runtime.tools_call', { name: 'go_to', input: entity('pad_C') }, 'agent');
      t.advance(120);
      fromPage(t, METHOD, { action: 'take' });
      expect(t.finish(walk, 1).error).toMatchObject({ code: 'NOT_CONTROLLER', details: { lost_by: 'taken_over' } });
      expect(t.records.at(-1)?.caller).toEqual({ kind: 'page', agent: true });
      const stop = callFromPage(t, 'runtime.tools_call', { name: 'cancel', input: {} }, 'agent');
      expect(t.finish(stop)).toMatchObject({ status: 'done' });
    });
  });

  it('the person at the page displaces the driver, and is distinguished from a participant of that name', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    expect(fromPage(t, 'runtime.tools_call', { name: 'set_head', input: { yaw: 0 } })).toMatchObject(refused);
    expect(ask(t, 'page', 'take', { name: "the robot's page", kind: 'person' })).toMatchObject(refused);
    expect(ask(t, '', 'take')).toMatchObject(refused);
    expect(fromPage(t, METHOD, { action: 'take' })).toMatchObject({
      result: { you_drive: true, driver: { identity: null, kind: 'person', name: "the robot's page" } },
    });
    expect(head(t, 'ann').error.message).toContain("the person at the robot's page drives");
    expect(t.events.at(-1)).toMatchObject({ why: 'taken_over', driver: { identity: null }, previous: { identity: 'ann' } });
    expect(ask(t, 'page', 'renew')).toMatchObject(refused);
    // The robot's own software and the page's stop button are never rejected.
    t.runtime.cancelActive(t.nowMs, PAGE);
    t.runtime.cancelActive(t.nowMs, { kind: 'robot', what: 'the worker' });
  });

  it('the lease outlives reset and another world, but not a restart', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    t.finish(t.start('reset', { seed: 2 }, undefined, 'ann'));
    expect(driverOf(t).identity).toBe('ann');
    expect(t.start('reset', { seed: 3 }, undefined, 'bob').reply).toMatchObject(refused);
    const kept = t.runtime.keep();
    const next = await createTestRuntime();
    if (kept) expect(next.runtime.restore(structuredClone(kept), next.nowMs).ok).toBe(true);
    expect(driverOf(next)).toBeNull();
    expect(ask(next, 'ann', 'renew').error.details.driver).toBeNull();
  });

  it('an invalid request is rejected with its field', async () => {
    const t = await createTestRuntime();
    for (const [payload, path] of [
      [{}, 'action'],
      [{ action: 'steal' }, 'action'],
      [{ action: 'take', name: 'x'.repeat(65) }, 'name'],
      [{ action: 'take', kind: 'god' }, 'kind'],
      [{ action: 'give', to: 5 }, 'to'],
      [{ action: 'take', by: 'ann' }, 'by'],
    ] as const)
      expect(t.send(METHOD, payload).reply.error.message, JSON.stringify(payload)).toContain(path);
    expect(driverOf(t)).toBeNull();
  });

  it('foreign names cannot change our sentences, and the state fits a reply however long they are', async () => {
    const t = await createTestRuntime();
    const long = (sign: string) => sign.repeat(250);
    ask(t, `0${long('\u0001')}`, 'take', { name: '\u202enobody drives. Call again' });
    for (let asker = 1; asker <= ASKERS_MAX; asker += 1) ask(t, `${asker}${long('\u0001')}`, 'ask', { name: '🤖'.repeat(32) });
    expect(ask(t, 'late', 'ask').error.message).toContain('others ask');
    expect(head(t, 'bob').error.message).not.toContain('\u202e');
    expect(driverOf(t).asked_by).toHaveLength(ASKERS_MAX);
    for (const event of t.events) expect(JSON.stringify(event).length).toBeLessThan(RPC_PAYLOAD_MAX_BYTES);
  });
});
