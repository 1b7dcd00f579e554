import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, connect, PlatformConnectionError, PlatformSDKError } from '../../src/client/index.ts';
import { deferred } from '../../src/client/internal/wait.ts';
import { fakeFetch, SESSION } from './helpers/fake-fetch.ts';
import { doneReply, FakeRoom, failedReply, guardReply } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';
import { settled } from './helpers/settled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A token whose claims contain its time of issue in milliseconds since the epoch. */
const tokenIssuedAt = (ms: number) => `h.${btoa(JSON.stringify({ nbf: ms / 1_000 }))}.s`;

describe('connect', () => {
  it('connect opens the session and joins, and disconnect leaves and deletes it', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session, seen } = await fakeSession(room);
    expect(session).toMatchObject({ robotId: 'r1', roomName: 'robot-r1', runtimeIdentity: 'simplesim:r1' });
    expect(session.livekitUrl).toBe(SESSION.livekit_url);
    expect(seen[0]).toMatchObject({ method: 'POST', body: { worker_names: [] } });
    await session.disconnect();
    await session.disconnect();
    expect(room.left).toBe(true);
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    await expect(session.scene()).rejects.toThrow('This session was left');
  });

  it('disconnect leaves the session alone when it is to be kept', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session, seen } = await fakeSession(room);
    await session.disconnect({ keepSession: true });
    expect([room.left, seen.length]).toEqual([true, 1]);
  });

  it('keepSession of connect decides what disconnect does, and await using disconnects', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session, seen } = await fakeSession(room, { keepSession: true });
    {
      await using kept = session;
      expect(kept.roomName).toBe('robot-r1');
    }
    expect([room.left, seen.length]).toEqual([true, 1]);
    const other = await fakeSession(new FakeRoom(() => 'silence'), { keepSession: true });
    await other.session.disconnect({ keepSession: false });
    expect(other.seen.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  it.each([
    ['leaves an earlier session to its participants', false, {}, ['POST']],
    ['deletes an earlier session on request', false, { keepSession: false }, ['POST', 'DELETE']],
    ['deletes a session that it opened', true, {}, ['POST', 'DELETE']],
    ['keeps a session that it opened on request', true, { keepSession: true }, ['POST']],
  ])('disconnect %s', async (_, isNew, options, methods) => {
    const { fetch, seen } = fakeFetch({ body: { ...SESSION, is_new: isNew } }, { status: 204 });
    const transport = async () => new FakeRoom(() => 'silence');
    const session = await connect(new Client({ apiKey: 'k', fetch }), 'r1', { transport, ...options });
    await session.disconnect();
    expect(seen.map(({ method }) => method)).toEqual(methods);
  });

  it('disconnect can be called again when the session could not be deleted', async () => {
    const { fetch, seen } = fakeFetch({ body: SESSION }, { status: 500 }, { status: 204 });
    const session = await connect(new Client({ apiKey: 'k', fetch }), 'r1', {
      transport: async () => new FakeRoom(() => 'silence'),
    });
    await expect(session.disconnect()).rejects.toMatchObject({ statusCode: 500 });
    await session.disconnect();
    await session.disconnect();
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE']);
  });

  it('connect opens no session when the room’s package cannot be loaded', async () => {
    const { fetch, seen } = fakeFetch({ body: SESSION });
    const transport = async () => Promise.reject(new PlatformSDKError('Install it'));
    await expect(connect(new Client({ apiKey: 'k', fetch }), 'r1', { transport })).rejects.toThrow('Install it');
    expect(seen).toHaveLength(0);
  });

  it('a callback that throws is reported to the logger, and changes nothing', async () => {
    const reported: string[] = [];
    const logger = { debug: () => {}, warn: (line: string) => void reported.push(line) };
    const { fetch } = fakeFetch({ body: SESSION }, { status: 204 });
    const room = new FakeRoom((call) => ({
      reply: doneReply((call.payload as { options: { action_id: string } }).options.action_id),
    }));
    const broken = () => {
      throw new RangeError('of the caller');
    };
    const brokenLater = async () => broken();
    const callbacks = { onActionResult: brokenLater, onActionEvent: broken, onDisconnected: broken };
    const session = await connect(new Client({ apiKey: 'k', fetch, logger }), 'r1', { transport: async () => room, callbacks });
    expect(await session.invoke('cancel', {}, { onEvent: broken })).toMatchObject({ status: 'done' });
    await session.disconnect();
    expect(new Set(reported)).toEqual(
      new Set(
        ['onActionResult', 'onActionEvent', 'onEvent', 'onDisconnected'].map((name) => `the callback ${name} threw RangeError`),
      ),
    );
  });

  it('a session that is already gone does not make disconnect fail', async () => {
    const { fetch } = fakeFetch({ body: SESSION }, { status: 404, body: { code: 'x', message: 'gone', details: {} } });
    const client = new Client({ apiKey: 'k', fetch });
    const session = await connect(client, 'r1', { transport: async () => new FakeRoom(() => 'silence') });
    await expect(session.disconnect()).resolves.toBeUndefined();
  });

  it('a session with joinLivekit: false joins no room, and reports this when a room is needed', async () => {
    const { fetch } = fakeFetch({ body: SESSION });
    const transport = vi.fn();
    const session = await connect(new Client({ apiKey: 'k', fetch }), 'r1', { joinLivekit: false, transport });
    expect(transport).not.toHaveBeenCalled();
    for (const call of [session.scene(), session.getVision('pov'), session.discoverSkills(), session.waitUntilReady()]) {
      await expect(call).rejects.toThrow('joinLivekit: true');
    }
  });

  it.each([
    ['deletes a session it opened', { is_new: true }, 3_600_000, ['POST', 'DELETE']],
    ['leaves one that was open before', { is_new: false }, 0, ['POST']],
    ['deletes a session as young as its token, if the service sends no is_new', {}, 0, ['POST', 'DELETE']],
    ['leaves a session older than its token, if the service sends no is_new', {}, 3_600_000, ['POST']],
  ])('connect that cannot join %s, and shows no token', async (_, reported, openForMs, methods) => {
    const token = tokenIssuedAt(Date.parse(SESSION.room_metadata.created_at) + openForMs);
    const { fetch, seen } = fakeFetch({ body: { ...SESSION, ...reported, participant_token: token } }, { status: 204 });
    const room = new FakeRoom(() => 'silence');
    room.connect = async () => {
      throw new Error(`ws://127.0.0.1:7880/rtc?access_token=${token} refused`);
    };
    const error = await connect(new Client({ apiKey: 'k', fetch }), 'r1', { transport: async () => room }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(PlatformConnectionError);
    expect(inspect(error, { depth: 9 })).not.toContain(token);
    expect(seen.map(({ method }) => method)).toEqual(methods);
    expect(room.left).toBe(true);
  });

  it.each([
    ['deletes the session that it opened', true, ['POST', 'DELETE']],
    ['leaves one that was open before', false, ['POST']],
  ])('connect that is given up while the service answers %s', async (_, isNew, methods) => {
    const { fetch, seen } = fakeFetch({ body: { ...SESSION, is_new: isNew } }, { status: 204 });
    const answered = deferred<void>();
    const slow: typeof globalThis.fetch = async (...request) => {
      const answer = await fetch(...request);
      if (seen.length === 1) await answered.promise;
      return answer;
    };
    const abort = new AbortController();
    const transport = async () => new FakeRoom(() => 'silence');
    const connecting = connect(new Client({ apiKey: 'k', fetch: slow }), 'r1', { transport, signal: abort.signal });
    connecting.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    abort.abort(new Error('enough'));
    await expect(connecting).rejects.toThrow('enough');
    answered.resolve();
    await vi.advanceTimersByTimeAsync(100);
    expect(seen.map(({ method }) => method)).toEqual(methods);
    await expect(connect(new Client({ apiKey: 'k', fetch }), 'r1', { signal: abort.signal })).rejects.toThrow('enough');
    expect(seen).toHaveLength(methods.length);
  });

  it('disconnects at the same time all wait for the one end, and a failed disconnect is retried', async () => {
    const { fetch, seen } = fakeFetch({ body: SESSION }, { status: 503, body: { code: 'x', message: 'busy' } }, { status: 204 });
    const deleted = deferred<void>();
    const slow: typeof globalThis.fetch = async (...request) => {
      const answer = await fetch(...request);
      if (seen.length === 3) await deleted.promise;
      return answer;
    };
    const session = await connect(new Client({ apiKey: 'k', fetch: slow }), 'r1', {
      transport: async () => new FakeRoom(() => 'silence'),
    });
    let ended = 0;
    const ends = [1, 2, 3].map(() => session.disconnect().finally(() => (ended += 1)));
    for (const end of ends) end.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    expect(ended).toBe(1);
    deleted.resolve();
    expect((await Promise.allSettled(ends)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE']);
  });

  it('connect that is given up while it joins leaves the room and deletes the session that it opened', async () => {
    const { fetch, seen } = fakeFetch({ body: SESSION }, { status: 204 });
    const room = new FakeRoom(() => 'silence');
    room.connect = () => new Promise(() => {});
    const abort = new AbortController();
    const options = { transport: async () => room, signal: abort.signal };
    const connecting = connect(new Client({ apiKey: 'k', fetch }), 'r1', options);
    connecting.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    abort.abort(new Error('enough'));
    await expect(connecting).rejects.toThrow('enough');
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(room.left).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a session reports runtimes that come and go, and its end', async () => {
    const reported: string[] = [];
    const room = new FakeRoom(() => 'silence');
    room.present = [];
    await fakeSession(room, {
      callbacks: {
        onRuntimeJoined: (identity) => void reported.push(`joined ${identity}`),
        onRuntimeLeft: (identity) => void reported.push(`left ${identity}`),
        onDisconnected: (reason) => void reported.push(`ended: ${reason}`),
      },
    });
    room.join('somebody');
    room.join('simplesim:r1');
    room.leave('simplesim:r1');
    room.close('room deleted');
    expect(reported).toEqual(['joined simplesim:r1', 'left simplesim:r1', 'ended: room deleted']);
  });

  it('a session finds runtimes by another prefix', async () => {
    const room = new FakeRoom(() => ({ reply: [] }));
    room.present = ['simplesim:r1', 'rcw-r1'];
    const { session } = await fakeSession(room, { rcwIdentityPrefix: 'rcw' });
    await session.discoverSkills();
    expect(room.calls[0]?.to).toBe('rcw-r1');
  });
});

describe('cancelOnAbandon', () => {
  /** A robot whose action runs until it is cancelled; it does not know calls that have not arrived yet. */
  function walkingRoom(hearsAfterCancels = 0) {
    let cancels = 0;
    const room: FakeRoom = new FakeRoom((call) => {
      if (call.method === 'runtime.tools_call') return 'silence';
      if (call.method === 'runtime.action') return { reply: guardReply('ACTION_NOT_FOUND') };
      if (call.method !== 'runtime.cancel') return 'silence';
      cancels += 1;
      const { options } = call.payload as { options: { action_id: string } };
      return {
        reply: cancels > hearsAfterCancels ? failedReply(options.action_id, 'CANCELLED') : guardReply('ACTION_NOT_FOUND'),
      };
    });
    return room;
  }
  const walk = { target: { kind: 'entity', entity_id: 'pad_B' } } as const;

  it.each([0, 2])(
    'cancelOnAbandon cancels the action by its id, also when the call is still in transit (%i times not found)',
    async (unheard) => {
      const room = walkingRoom(unheard);
      const { session } = await fakeSession(room);
      const abort = new AbortController();
      const walking = session.invoke('go_to', walk, { signal: abort.signal, cancelOnAbandon: true, actionId: 'walk' });
      walking.catch(() => {});
      await vi.advanceTimersByTimeAsync(100);
      abort.abort(new Error('enough'));
      await vi.advanceTimersByTimeAsync(2_000);
      await expect(walking).rejects.toThrow('enough');
      expect(room.of('runtime.cancel').map(({ payload }) => payload)).toEqual(
        Array.from({ length: unheard + 1 }, () => ({ options: { action_id: 'walk' } })),
      );
    },
  );

  it('cancelOnAbandon is bounded: a robot that does not answer is reported in a warning', async () => {
    const { session, warnings } = await fakeSession(new FakeRoom(() => 'silence'));
    const abort = new AbortController();
    const walking = session.start('go_to', walk, { signal: abort.signal, cancelOnAbandon: true, actionId: 'walk' }).result;
    walking.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    abort.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(6_000);
    await expect(walking).rejects.toThrow('enough');
    expect(warnings.join()).toMatch(/walk was given up and may still run/);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('cancelOnAbandon also cancels the action when the time is up', async () => {
    const room = walkingRoom();
    const { session } = await fakeSession(room);
    const walking = session.invoke('go_to', walk, { timeoutMs: 1_000, cancelOnAbandon: true, actionId: 'walk' });
    walking.catch(() => {});
    await vi.advanceTimersByTimeAsync(1_100);
    await expect(walking).rejects.toMatchObject({ name: 'TimeoutError', actionId: 'walk' });
    expect(room.of('runtime.cancel')).toHaveLength(1);
  });

  it('cancelOnAbandon sends nothing if the signal fired earlier, and without it nothing is cancelled', async () => {
    const room = walkingRoom();
    const { session } = await fakeSession(room);
    const fired = AbortSignal.abort(new Error('never'));
    await expect(session.invoke('go_to', walk, { signal: fired, cancelOnAbandon: true })).rejects.toThrow('never');
    expect(room.calls).toEqual([]);
    const abort = new AbortController();
    const walking = session.invoke('go_to', walk, { signal: abort.signal });
    walking.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    abort.abort(new Error('enough'));
    await expect(walking).rejects.toThrow('enough');
    expect(room.of('runtime.cancel')).toEqual([]);
  });

  it('cancelOnAbandon sends no further request when the action has ended meanwhile', async () => {
    const room = new FakeRoom((call) => {
      if (call.method === 'runtime.cancel') return { reply: guardReply('ACTION_NOT_FOUND') };
      return call.method === 'runtime.action' && room.of('runtime.cancel').length > 0 ? { reply: doneReply('walk') } : 'silence';
    });
    const { session } = await fakeSession(room);
    const abort = new AbortController();
    const walking = session.invoke('go_to', walk, { signal: abort.signal, cancelOnAbandon: true, actionId: 'walk' });
    walking.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    abort.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(100);
    await expect(walking).rejects.toThrow('enough');
    expect(room.of('runtime.cancel')).toHaveLength(1);
  });
});

describe('reads', () => {
  it('state.get knows its keys, and requests runtime.<key> for others', async () => {
    const room = new FakeRoom(() => ({ reply: { runtime: {}, robot: {}, entities: {} } }));
    const { session } = await fakeSession(room);
    for (const key of [...session.state.list(), 'action']) await session.state.get(key);
    await session.scene({ kinds: ['cube'] });
    expect(room.calls.map(({ method }) => method)).toEqual([
      'runtime.state',
      'runtime.scene_state',
      'runtime.scene_layout',
      'runtime.manifest',
      'runtime.capabilities',
      'runtime.action',
      'runtime.scene_state',
    ]);
    expect(room.calls[6]?.payload).toEqual({ kinds: ['cube'] });
  });

  it('reads are repeated when the reply is lost', async () => {
    const fates = [{ failure: 'lost' as const }, 'silence' as const, { failure: 'absent' as const }];
    const room = new FakeRoom((_, index) => fates[index] ?? { reply: { entities: {} } });
    const { session } = await fakeSession(room);
    expect(await settled(session.scene())).toEqual({ entities: {} });
    expect(room.calls).toHaveLength(4);
  });

  it('reads end with a TimeoutError when no reply ever arrives', async () => {
    const { session } = await fakeSession(new FakeRoom(() => 'silence'));
    await expect(settled(session.scene())).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('a reply that is not JSON is the runtime’s fault', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ text: '{"a":' })));
    await expect(session.scene()).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('call sends any request once', async () => {
    const room = new FakeRoom(() => ({ failure: 'lost' }));
    const { session } = await fakeSession(room);
    await expect(settled(session.call('runtime.whatever'))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(room.calls).toHaveLength(1);
  });
});

describe('a read with a reply of another shape', () => {
  it.each([
    ['robot_status', [null, true, 7, 'x', [], {}, { runtime: {}, robot: 7 }]],
    ['scene_state', [null, [], {}, { entities: [] }]],
    ['scene_layout', [null, 'x', []]],
    ['manifest', [null, 7]],
    ['capabilities', [null, 7]],
  ] as const)('a read of %s rejects a reply of another shape, and does not pass it on', async (key, replies) => {
    for (const reply of replies) {
      const { session } = await fakeSession(new FakeRoom(() => ({ reply })));
      await expect(session.state.get(key)).rejects.toMatchObject({
        code: 'INTERNAL',
        message: expect.stringMatching(/is not what runtime\.\w+ answers/),
      });
    }
  });

  it('the reply of a method that this library does not know is passed on', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ reply: 7 })));
    expect(await session.state.get('weather')).toBe(7);
  });
});
