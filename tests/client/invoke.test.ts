import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ActionResult, PlatformSDKError, RcwRuntimeError, TimeoutError } from '../../src/client/index.ts';
import { actionIdOf, doneReply, type FakeCall, FakeRoom, failedReply, guardReply } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';
import { settled } from './helpers/settled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const isAsk = ({ method }: FakeCall) => method === 'runtime.action';

describe('invoke', () => {
  it('invoke sends the skill with an action id, and returns the end of the action', async () => {
    const room = new FakeRoom((call) => ({ reply: doneReply(actionIdOf(call), { speed: 2 }) }));
    const { session } = await fakeSession(room);
    const result = await session.invoke('set_sim_speed', { speed: 2 }, { deadlineS: 9 });
    expect(result).toMatchObject({ status: 'done', result: { speed: 2 } });
    expect(room.calls[0]).toMatchObject({
      to: 'simplesim:r1',
      method: 'runtime.tools_call',
      payload: { name: 'set_sim_speed', input: { speed: 2 }, options: { deadline_s: 9 } },
    });
    expect(result.meta.action_id).toBe(actionIdOf(room.calls[0] as FakeCall));
  });

  it('invoke never chooses an id twice, and uses the caller’s id', async () => {
    const room = new FakeRoom((call) => ({ reply: doneReply(actionIdOf(call)) }));
    const { session } = await fakeSession(room);
    for (const options of [{}, {}, { actionId: 'mine' }]) await session.invoke('cancel', {}, options);
    const ids = room.calls.map(actionIdOf);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('mine');
  });

  it('invoke returns a failure of the action, and throws only for a call that became no action', async () => {
    const replies = [
      (id: string) => failedReply(id, 'NAVIGATION_STUCK'),
      () => guardReply('BUSY', 'The base is taken.', { active: 'a' }),
    ];
    const room = new FakeRoom((call, index) => ({ reply: replies[index]?.(actionIdOf(call)) }));
    const { session } = await fakeSession(room);
    const target = { kind: 'entity', entity_id: 'pad_B' } as const;
    expect(await session.invoke('go_to', { target })).toMatchObject({ status: 'failed', error: { code: 'NAVIGATION_STUCK' } });
    const refused = session.invoke('go_to', { target });
    await expect(refused).rejects.toBeInstanceOf(RcwRuntimeError);
    await expect(refused).rejects.toMatchObject({ code: 'BUSY', runtimeMessage: 'The base is taken.', details: { active: 'a' } });
  });

  it('invoke passes its result to onActionResult', async () => {
    const events: ActionResult[] = [];
    const room = new FakeRoom((call, index) => ({
      reply: index === 0 ? doneReply(actionIdOf(call)) : failedReply(actionIdOf(call), index === 1 ? 'CANCELLED' : 'INTERNAL'),
    }));
    const { session } = await fakeSession(room, { callbacks: { onActionResult: (event) => void events.push(event) } });
    const results = [await session.invoke('cancel', {}), await session.invoke('cancel', {}), await session.invoke('cancel', {})];
    expect(events.map(({ phase }) => phase)).toEqual(['done', 'cancelled', 'failed']);
    events.forEach((event, index) => {
      expect(event).toBe(results[index]);
      expect(event.action_id).toBe(event.meta.action_id);
    });
  });

  it.each([
    [{ vx: Number.NaN }, 'INVALID_INPUT', 'vx is NaN'],
    [{ vx: Number.POSITIVE_INFINITY }, 'INVALID_INPUT', 'vx is Infinity'],
    [{ note: 'x'.repeat(16_000) }, 'PAYLOAD_TOO_LARGE', '15360 bytes'],
  ])('invoke rejects unsent what no call can carry: %#', async (params, code, text) => {
    const room = new FakeRoom(() => 'silence');
    const { session } = await fakeSession(room);
    const refused = session.invoke('set_velocity' as string, params);
    await expect(refused).rejects.toMatchObject({ code, runtimeMessage: expect.stringContaining(text) });
    expect(room.calls).toHaveLength(0);
  });

  it('invoke fails at once without a runtime in the room, with a remedy', async () => {
    const room = new FakeRoom(() => 'silence');
    room.present = ['client:x', 'simplesimulator'];
    const { session } = await fakeSession(room);
    await expect(session.invoke('cancel', {})).rejects.toMatchObject({
      code: 'NOT_READY',
      message: expect.stringContaining('Open the viewer'),
    });
  });

  it('invoke of a missing method is a METHOD_NOT_FOUND', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ failure: 'unsupported' })));
    await expect(session.invoke('cancel', {})).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
  });
});

describe('P5: a lost reply', () => {
  /** A runtime that runs an action once by id, keeps its end, and loses the messages that the test names. */
  function losingRoom(loses: (call: FakeCall, index: number) => 'request' | 'reply' | 'nothing') {
    const results = new Map<string, unknown>();
    let executions = 0;
    const room = new FakeRoom((call, index) => {
      const lost = loses(call, index);
      if (lost === 'request') return { failure: 'lost' };
      if (isAsk(call)) {
        const { action_id } = call.payload as { action_id: string };
        const reply = results.get(action_id) ?? guardReply('ACTION_NOT_FOUND');
        return lost === 'reply' ? 'silence' : { reply };
      }
      const id = actionIdOf(call);
      if (!results.has(id)) {
        executions += 1;
        results.set(id, doneReply(id, { speed: 1 }));
      }
      return lost === 'reply' ? 'silence' : { reply: results.get(id) };
    });
    return { room, executions: () => executions };
  }

  it('a lost reply is found again by its id: executions = 1', async () => {
    const { room, executions } = losingRoom((call) => (isAsk(call) ? 'nothing' : 'reply'));
    const { session } = await fakeSession(room);
    expect(await settled(session.invoke('set_sim_speed', { speed: 1 }))).toMatchObject({ status: 'done' });
    expect([executions(), room.of('runtime.tools_call').length]).toEqual([1, 1]);
  });

  it('a lost request is repeated with the same id: executions = 1', async () => {
    const { room, executions } = losingRoom((_, index) => (index === 0 ? 'request' : 'nothing'));
    const { session } = await fakeSession(room);
    expect(await settled(session.invoke('set_sim_speed', { speed: 1 }))).toMatchObject({ status: 'done' });
    const ids = room.of('runtime.tools_call').map(actionIdOf);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(executions()).toBe(1);
  });

  it.each([1, 2, 3, 4, 5])('replies and requests lost at random, seed %i: executions = distinct ids', async (seed) => {
    let state = seed;
    const chance = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const { room, executions } = losingRoom(() => {
      const draw = chance();
      return draw < 0.3 ? 'request' : draw < 0.6 ? 'reply' : 'nothing';
    });
    const { session } = await fakeSession(room, { runtimeCallTimeoutMs: 600_000 });
    for (let n = 0; n < 20; n += 1) {
      expect(await settled(session.invoke('set_sim_speed', { speed: 1 }))).toMatchObject({ status: 'done' });
    }
    const ids = new Set(room.of('runtime.tools_call').map(actionIdOf));
    expect(ids.size).toBe(20);
    expect(executions()).toBe(20);
  });

  it('the lost reply of a running action is awaited', async () => {
    let ended = false;
    const room = new FakeRoom((call) => {
      if (!isAsk(call)) return 'silence';
      const { action_id } = call.payload as { action_id: string };
      return { reply: ended ? doneReply(action_id) : { action_id, phase: 'running' } };
    });
    const { session } = await fakeSession(room);
    const invoked = session.invoke('cancel', {});
    await vi.advanceTimersByTimeAsync(21_000);
    expect(room.of('runtime.action').length).toBeGreaterThan(1);
    ended = true;
    expect(await settled(invoked)).toMatchObject({ status: 'done' });
    expect(room.of('runtime.tools_call')).toHaveLength(1);
  });

  it('a lost reply is found by a runtime that left and came back, although it still loads', async () => {
    let comesBack = false;
    const room: FakeRoom = new FakeRoom((call, index) => {
      if (index === 0) {
        room.leave('simplesim:r1');
        return { failure: 'lost' };
      }
      const { action_id } = call.payload as { action_id: string };
      if (index < 4) return { reply: guardReply('NOT_READY') };
      return { reply: doneReply(action_id) };
    });
    const { session } = await fakeSession(room);
    const invoked = session.invoke('cancel', {});
    await vi.advanceTimersByTimeAsync(3_000);
    expect(room.calls).toHaveLength(1);
    comesBack = true;
    room.join('simplesim:r1');
    expect(await settled(invoked)).toMatchObject({ status: 'done' });
    expect(comesBack && room.of('runtime.tools_call').length).toBe(1);
  });

  it('a request to a runtime without records is never repeated', async () => {
    const room = new FakeRoom((call) => ({ failure: isAsk(call) ? 'unsupported' : 'lost' }));
    const { session } = await fakeSession(room);
    await expect(settled(session.invoke('stop' as string, {}))).rejects.toThrow(TimeoutError);
    expect(room.of('runtime.tools_call')).toHaveLength(1);
  });
});

describe('how waiting ends', () => {
  it('a timeout names the action, lies outside the hierarchy, and cancels nothing', async () => {
    const room = new FakeRoom((call) => (isAsk(call) ? { reply: { phase: 'running' } } : 'silence'));
    const { session } = await fakeSession(room);
    const error = await settled(session.invoke('cancel', {}, { timeoutMs: 12_000, actionId: 'mine' })).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'TimeoutError', actionId: 'mine', message: expect.stringContaining('mine') });
    expect(error).not.toBeInstanceOf(PlatformSDKError);
    expect(room.of('runtime.cancel')).toHaveLength(0);
  });

  it('a timeout while the runtime leaves causes no unhandled rejection, which would end the program', async () => {
    const unseen: unknown[] = [];
    const note = (reason: unknown) => void unseen.push(reason);
    process.on('unhandledRejection', note);
    try {
      const room = new FakeRoom(() => ({ failure: 'lost' }));
      const { session } = await fakeSession(room);
      const invoked = session.invoke('cancel', {}, { timeoutMs: 1_000 }).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(900);
      room.leave('simplesim:r1');
      await vi.advanceTimersByTimeAsync(100);
      expect(await invoked).toBeInstanceOf(TimeoutError);
      await session.disconnect({ keepSession: true });
      vi.useRealTimers();
      await new Promise((resolve) => setImmediate(resolve));
      expect(unseen).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('the signal ends waiting with its reason', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session } = await fakeSession(room);
    const abort = new AbortController();
    const calls = [
      session.invoke('cancel', {}, { signal: abort.signal }),
      session.state.get('robot_status', {}, { signal: abort.signal }),
      session.getVision('pov', { signal: abort.signal }),
      session.cancelAction('x', { signal: abort.signal }),
      session.call('runtime.manifest', {}, { signal: abort.signal }),
      session.waitUntilReady({ signal: abort.signal }),
    ];
    for (const call of calls) call.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    abort.abort(new Error('enough'));
    for (const call of calls) await expect(call).rejects.toThrow('enough');
    await expect(session.discoverSkills({ signal: abort.signal })).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the end of the room ends every call', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session } = await fakeSession(room);
    const calls = [session.invoke('cancel', {}), session.scene(), session.getVision('pov')];
    for (const call of calls) call.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    room.close('room deleted');
    for (const call of calls) await expect(call).rejects.toThrow('room deleted');
    await expect(session.scene()).rejects.toThrow(PlatformSDKError);
  });
});

describe('cancelAction', () => {
  it('cancelAction cancels the active action, or an action by its id', async () => {
    const room = new FakeRoom(() => ({ reply: failedReply('a', 'CANCELLED') }));
    const { session } = await fakeSession(room);
    expect(await session.cancelAction()).toMatchObject({
      status: 'failed',
      error: { code: 'CANCELLED' },
      meta: { action_id: 'a' },
    });
    await session.cancelAction('mine');
    expect(room.calls.map(({ payload }) => payload)).toEqual([
      { options: { action_id: 'cancel-active' } },
      { options: { action_id: 'mine' } },
    ]);
  });

  it('cancelAction reports that nothing is active', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ reply: guardReply('ACTION_NOT_FOUND') })));
    await expect(session.cancelAction()).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
  });

  it('cancelAction repeats "whatever is active" as well, unless a later command would be the active action by then', async () => {
    const cancels: (() => ReturnType<typeof failedReply> | null)[] = [
      () => null,
      () => failedReply('mine', 'CANCELLED'),
      () => null,
    ];
    const room = new FakeRoom((call) => {
      if (call.method !== 'runtime.cancel') return { reply: doneReply('next') };
      const reply = (cancels.shift() ?? (() => failedReply('mine', 'CANCELLED')))();
      return reply === null ? { failure: 'lost' } : { reply };
    });
    const { session } = await fakeSession(room);
    expect(await settled(session.cancelAction())).toMatchObject({ meta: { action_id: 'mine' } });
    expect(room.of('runtime.cancel')).toHaveLength(2);
    const cancel = session.cancelAction();
    await session.invoke('set_head', { yaw: 0 }, { actionId: 'next' });
    await expect(settled(cancel)).rejects.toThrow(TimeoutError);
    expect(room.of('runtime.cancel')).toHaveLength(3);
    expect(await settled(session.cancelAction('mine'))).toMatchObject({ meta: { action_id: 'mine' } });
  });

  const NOW_MS = 50_000;
  /** The end of an action as the runtime’s record lists it. */
  const listed = (actionId: string, agoMs: number, { kind = 'tool', details = {} }: { kind?: string; details?: object } = {}) => {
    const { error, meta, ...rest } = failedReply(actionId, 'CANCELLED');
    const ended = { ...meta, finished_at_ms: NOW_MS - agoMs };
    return { ...rest, kind, name: 'go_to', error: { ...error, details: { ...error.details, ...details } }, meta: ended };
  };
  /** A runtime that executes the first cancel but loses its reply. @param active whether an action runs later */
  const unheard = (record: () => unknown[], active = () => false) => {
    let cancels = 0;
    return new FakeRoom((call) => {
      if (call.method === 'runtime.cancel') {
        cancels += 1;
        if (cancels === 1) return 'silence';
        return { reply: active() ? failedReply('another', 'CANCELLED') : guardReply('ACTION_NOT_FOUND') };
      }
      if (call.method === 'runtime.action') return { reply: record() };
      const runtime = active() ? { active_action: { action_id: 'another', phase: 'driving' } } : {};
      return { reply: { timestamp: { wall_time_ms: NOW_MS }, runtime, robot: {} } };
    });
  };

  it('cancelAction returns the end of the action that was active when the reply was lost, and cancels nothing more', async () => {
    // A picture that ended since then is not an action that a cancel ends.
    const room = unheard(() => [listed('picture', 10, { kind: 'capture' }), listed('mine', 4_900), listed('older', 9_000)]);
    const { session } = await fakeSession(room);
    const ended = await settled(session.cancelAction());
    expect(ended).toMatchObject({ error: { code: 'CANCELLED' }, meta: { action_id: 'mine' } });
    expect(room.of('runtime.cancel')).toHaveLength(1);
  });

  it.each([
    ['an earlier cancellation', [listed('mine', 60_000)]],
    ['an action that a later one replaced', [listed('mine', 4_900, { details: { superseded_by: 'next' } })]],
    ['a picture', [listed('mine', 4_900, { kind: 'capture' })]],
    ['an invalid record', [null, 7, 'x', {}]],
  ])('cancelAction does not mistake %s for its own effect', async (_, record) => {
    const room = unheard(() => record);
    const { session } = await fakeSession(room);
    await expect(settled(session.cancelAction())).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
    expect(room.of('runtime.cancel')).toHaveLength(2);
  });

  it('cancelAction is repeated while something is active, whatever was cancelled since: the robot must not continue', async () => {
    const room = unheard(
      () => [listed('mine', 4_900)],
      () => true,
    );
    const { session } = await fakeSession(room);
    expect(await settled(session.cancelAction())).toMatchObject({ meta: { action_id: 'another' } });
    expect(room.of('runtime.cancel')).toHaveLength(2);
  });

  it('cancelAction does not mistake an end that its session already received for a new one', async () => {
    let cancels = 0;
    const room = new FakeRoom((call) => {
      if (call.method === 'runtime.action') return { reply: [listed('mine', 10)] };
      if (call.method !== 'runtime.cancel') return { reply: { timestamp: { wall_time_ms: NOW_MS }, runtime: {}, robot: {} } };
      cancels += 1;
      if (cancels === 2) return 'silence';
      return { reply: cancels === 1 ? failedReply('mine', 'CANCELLED') : guardReply('ACTION_NOT_FOUND') };
    });
    const { session } = await fakeSession(room);
    await settled(session.cancelAction());
    await expect(settled(session.cancelAction())).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
  });

  it('cancelAction is not repeated when this session sent a command while it asked for the outcome', async () => {
    const room = new FakeRoom((call) => {
      if (call.method === 'runtime.cancel') return 'silence';
      if (call.method === 'runtime.tools_call') return { reply: doneReply('next') };
      if (call.method === 'runtime.action') return { reply: [] };
      return session.invoke('set_head', { yaw: 0 }, { actionId: 'next' }).then(() => ({
        timestamp: { wall_time_ms: NOW_MS },
        runtime: {},
        robot: {},
      }));
    });
    const { session } = await fakeSession(room);
    await expect(settled(session.cancelAction())).rejects.toThrow(/this session has commanded the robot since/);
    expect(room.of('runtime.cancel')).toHaveLength(1);
  });

  it('cancelAction is repeated with a runtime that keeps no record of actions', async () => {
    let cancels = 0;
    const room = new FakeRoom((call) => {
      if (call.method !== 'runtime.cancel') return { failure: 'unsupported' };
      return ++cancels === 1 ? { failure: 'lost' } : { reply: failedReply('mine', 'CANCELLED') };
    });
    const { session } = await fakeSession(room);
    expect(await settled(session.cancelAction())).toMatchObject({ meta: { action_id: 'mine' } });
  });
});

describe('tryInvoke and returnRefusals', () => {
  const guards = new FakeRoom(() => ({ reply: guardReply('UNKNOWN_ENTITY', 'There is no cube_99.', { hint: 'cube_9' }) }));

  it.each(['tryInvoke of any session', 'invoke of a session with returnRefusals'])(
    '%s returns a rejection as a failed result',
    async (way) => {
      const ended: ActionResult[] = [];
      const phases: string[] = [];
      const { session } = await fakeSession(guards, {
        returnRefusals: way.startsWith('invoke'),
        callbacks: { onActionResult: (event) => void ended.push(event), onActionEvent: ({ phase }) => void phases.push(phase) },
      });
      const target = { kind: 'entity', entity_id: 'cube_99' } as const;
      const run = way.startsWith('invoke') ? session.invoke.bind(session) : session.tryInvoke.bind(session);
      const result = await run('pick_entity', { target }, { actionId: 'mine' });
      expect(result).toEqual({
        status: 'failed',
        phase: 'failed',
        error: { code: 'UNKNOWN_ENTITY', message: 'There is no cube_99.', details: { hint: 'cube_9' } },
        action_id: 'mine',
        meta: { action_id: 'mine' },
      });
      expect(ended).toEqual([result]);
      expect(ended[0]).toBe(result);
      // The robot never accepted it.
      expect(phases).toEqual(['failed']);
    },
  );

  it('tryInvoke returns what is rejected before it is sent, and calls without a runtime', async () => {
    const { session } = await fakeSession(guards);
    expect(await session.tryInvoke('set_velocity', { vx: Number.NaN })).toMatchObject({ error: { code: 'INVALID_INPUT' } });
    const empty = new FakeRoom(() => 'silence');
    empty.present = [];
    const { session: alone } = await fakeSession(empty);
    expect(await alone.tryInvoke('cancel', {})).toMatchObject({ status: 'failed', error: { code: 'NOT_READY' } });
  });

  it('start of a session with returnRefusals ends with the rejection as its last event', async () => {
    const { session } = await fakeSession(guards, { returnRefusals: true });
    const action = session.start('go_to', { target: { kind: 'entity', entity_id: 'cube_99' } });
    const phases: string[] = [];
    for await (const event of action) phases.push(event.phase);
    expect(phases).toEqual(['failed']);
    expect((await action.result).error?.code).toBe('UNKNOWN_ENTITY');
  });

  it('tryInvoke still throws a timeout, because the action may continue', async () => {
    const { session } = await fakeSession(new FakeRoom(() => 'silence'));
    await expect(settled(session.tryInvoke('cancel', {}, { timeoutMs: 900 }))).rejects.toBeInstanceOf(TimeoutError);
  });
});
