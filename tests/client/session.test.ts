import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, connect, PlatformConnectionError, PlatformSDKError } from '../../src/client/index.ts';
import { fakeFetch, SESSION } from './helpers/fake-fetch.ts';
import { doneReply, type FakeCall, FakeRoom, guardReply } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await vi.runAllTimersAsync();
  return promise;
}

/** A token whose claims say when it was issued, milliseconds since the epoch. */
const tokenIssuedAt = (ms: number) => `h.${btoa(JSON.stringify({ nbf: ms / 1_000 }))}.s`;

describe('connect', () => {
  it('opens the session, joins, and on disconnect leaves and deletes it', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session, seen } = await fakeSession(room);
    expect(session).toMatchObject({ robotId: 'r1', roomName: 'robot-r1', runtimeIdentity: 'simplesim:r1' });
    expect(seen[0]).toMatchObject({ method: 'POST', body: { worker_names: [] } });
    await session.disconnect();
    await session.disconnect();
    expect(room.left).toBe(true);
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    await expect(session.scene()).rejects.toThrow('This session was left');
  });

  it('leaves alone when the session is to be kept', async () => {
    const room = new FakeRoom(() => 'silence');
    const { session, seen } = await fakeSession(room);
    await session.disconnect({ keepSession: true });
    expect([room.left, seen.length]).toEqual([true, 1]);
  });

  it('keepSession of connect is what disconnect does, and await using disconnects', async () => {
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

  it('opens no session when the room’s package cannot be loaded', async () => {
    const { fetch, seen } = fakeFetch({ body: SESSION });
    const transport = async () => Promise.reject(new PlatformSDKError('Install it'));
    await expect(connect(new Client({ apiKey: 'k', fetch }), 'r1', { transport })).rejects.toThrow('Install it');
    expect(seen).toHaveLength(0);
  });

  it('a callback that throws is told to the logger, and changes nothing', async () => {
    const told: string[] = [];
    const logger = { debug: () => {}, warn: (line: string) => void told.push(line) };
    const { fetch } = fakeFetch({ body: SESSION }, { status: 204 });
    const room = new FakeRoom((call) => ({
      reply: doneReply((call.payload as { options: { action_id: string } }).options.action_id),
    }));
    const broken = () => {
      throw new RangeError('of the caller');
    };
    const callbacks = { onActionResult: broken, onActionEvent: broken, onDisconnected: broken };
    const session = await connect(new Client({ apiKey: 'k', fetch, logger }), 'r1', { transport: async () => room, callbacks });
    expect(await session.invoke('cancel', {}, { onEvent: broken })).toMatchObject({ status: 'done' });
    await session.disconnect();
    expect(new Set(told)).toEqual(
      new Set(
        ['onActionResult', 'onActionEvent', 'onEvent', 'onDisconnected'].map((name) => `the callback ${name} threw RangeError`),
      ),
    );
  });

  it('a session that is gone already is no error on disconnect', async () => {
    const { fetch } = fakeFetch({ body: SESSION }, { status: 404, body: { code: 'x', message: 'gone', details: {} } });
    const client = new Client({ apiKey: 'k', fetch });
    const session = await connect(client, 'r1', { transport: async () => new FakeRoom(() => 'silence') });
    await expect(session.disconnect()).resolves.toBeUndefined();
  });

  it('with joinLivekit: false joins no room, and says so when one is needed', async () => {
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
    ['of a service that does not say deletes one that is as young as its token', {}, 0, ['POST', 'DELETE']],
    ['of a service that does not say leaves one that is older', {}, 3_600_000, ['POST']],
  ])('that cannot join %s, and shows no token', async (_, told, openForMs, methods) => {
    const token = tokenIssuedAt(Date.parse(SESSION.room_metadata.created_at) + openForMs);
    const { fetch, seen } = fakeFetch({ body: { ...SESSION, ...told, participant_token: token } }, { status: 204 });
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

  it('given up while it joins, leaves and deletes the session it opened', async () => {
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

  it('tells of runtimes that come and go, and of the end', async () => {
    const told: string[] = [];
    const room = new FakeRoom(() => 'silence');
    room.present = [];
    await fakeSession(room, {
      callbacks: {
        onRuntimeJoined: (identity) => void told.push(`joined ${identity}`),
        onRuntimeLeft: (identity) => void told.push(`left ${identity}`),
        onDisconnected: (reason) => void told.push(`ended: ${reason}`),
      },
    });
    room.join('somebody');
    room.join('simplesim:r1');
    room.leave('simplesim:r1');
    room.close('room deleted');
    expect(told).toEqual(['joined simplesim:r1', 'left simplesim:r1', 'ended: room deleted']);
  });

  it('finds runtimes by another prefix', async () => {
    const room = new FakeRoom(() => ({ reply: [] }));
    room.present = ['simplesim:r1', 'rcw-r1'];
    const { session } = await fakeSession(room, { rcwIdentityPrefix: 'rcw' });
    await session.discoverSkills();
    expect(room.calls[0]?.to).toBe('rcw-r1');
  });
});

describe('waitUntilReady', () => {
  it('waits for the runtime to join and to have loaded', async () => {
    const room = new FakeRoom((_, index) => ({ reply: index < 3 ? guardReply('NOT_READY') : [] }));
    room.present = [];
    const { session } = await fakeSession(room);
    let ready = false;
    const waiting = session.waitUntilReady().then(() => {
      ready = true;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([ready, room.calls.length]).toEqual([false, 0]);
    room.join('simplesim:r1');
    await settled(waiting);
    expect(room.of('runtime.tools_list')).toHaveLength(4);
  });

  it('takes the candidate that answers', async () => {
    const room = new FakeRoom((call) => (call.to === 'simplesim:r1' ? { reply: [] } : { failure: 'lost' }));
    room.present = ['simplesim-ghost', 'simplesim:r1'];
    const { session } = await fakeSession(room);
    await settled(session.waitUntilReady());
    expect(session.runtimeIdentity).toBe('simplesim:r1');
  });

  it('gives up in time, and leaves no timer behind', async () => {
    const room = new FakeRoom(() => ({ reply: guardReply('NOT_READY') }));
    const { session } = await fakeSession(room);
    const waiting = session.waitUntilReady({ timeoutMs: 3_000 });
    waiting.catch(() => {});
    await vi.advanceTimersByTimeAsync(3_500);
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('reads', () => {
  it('state.get knows its keys, and asks runtime.<key> for others', async () => {
    const room = new FakeRoom(() => ({ reply: {} }));
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

  it('are asked again when the reply is lost', async () => {
    const fates = [{ failure: 'lost' as const }, 'silence' as const, { failure: 'absent' as const }];
    const room = new FakeRoom((_, index) => fates[index] ?? { reply: { entities: {} } });
    const { session } = await fakeSession(room);
    expect(await settled(session.scene())).toEqual({ entities: {} });
    expect(room.calls).toHaveLength(4);
  });

  it('end with a TimeoutError when no reply ever comes', async () => {
    const { session } = await fakeSession(new FakeRoom(() => 'silence'));
    await expect(settled(session.scene())).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('a reply that is not JSON is the runtime’s fault', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ text: '{"a":' })));
    await expect(session.scene()).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('call puts any question once', async () => {
    const room = new FakeRoom(() => ({ failure: 'lost' }));
    const { session } = await fakeSession(room);
    await expect(settled(session.call('runtime.whatever'))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(room.calls).toHaveLength(1);
  });
});

describe('P14: getVision', () => {
  const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
  const frame = {
    step: 12,
    sim_time_s: 0.1,
    width: 64,
    height: 36,
    intrinsics: { fx: 1, fy: 1, cx: 32, cy: 18 },
    camera_pose: { frame_id: 'world', position: [0, 0, 1] },
  };
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  interface Sent {
    bytes?: Uint8Array;
    attributes?: Record<string, string>;
    announced?: number;
    name?: string;
    breaksOff?: boolean;
  }

  /** A camera that sends its stream before its reply, as the contract says. */
  function cameraRoom(sent: Sent = {}) {
    const room: FakeRoom = new FakeRoom((call: FakeCall) => {
      const { stream } = call.payload as { stream: { id: string; topic: string } };
      const bytes = sent.bytes ?? jpeg;
      const attributes = { request_id: stream.id, byte_length: String(jpeg.length), sha256: sha256(jpeg), ...sent.attributes };
      room.streams.get(stream.topic)?.({
        from: call.to,
        name: sent.name ?? stream.id,
        attributes,
        read: async () => {
          if (sent.breaksOff) throw new Error('reset');
          return bytes;
        },
      });
      const payload = {
        kind: 'byte_stream',
        stream_id: stream.id,
        topic: stream.topic,
        byte_length: sent.announced ?? bytes.length,
      };
      return { reply: doneReply('c', { payload, frame }) };
    });
    return room;
  }

  it('gives the checked bytes and their frame', async () => {
    const room = cameraRoom();
    const { session } = await fakeSession(room);
    vi.useRealTimers();
    const vision = await session.getVision('pov', { width: 64, height: 36, quality: 0.5 });
    expect(vision).toMatchObject({ frame: { step: 12, width: 64 }, verified: 'sha256' });
    expect(vision.jpeg).toEqual(jpeg);
    expect(room.calls[0]?.payload).toMatchObject({
      selector: { kind: 'id', id: 'pov' },
      options: { width: 64, height: 36, quality: 0.5, format: 'jpeg' },
      stream: { topic: 'platform.camera_capture' },
    });
  });

  it('visions takes one after another, until the loop is left or the signal ends it', async () => {
    const room = cameraRoom();
    const { session } = await fakeSession(room);
    vi.useRealTimers();
    let taken = 0;
    for await (const { frame: seen } of session.visions('pov', { width: 64, height: 36, intervalMs: 1 })) {
      expect(seen.step).toBe(12);
      taken += 1;
      if (taken === 3) break;
    }
    expect(room.calls.map(({ payload }) => (payload as { options: unknown }).options)).toEqual(
      Array(3).fill({ width: 64, height: 36, format: 'jpeg' }),
    );
    const abort = new AbortController();
    const endless = session.visions('pov', { signal: abort.signal, intervalMs: 60_000 });
    await endless.next();
    const waiting = endless.next();
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('takes a sender that names no hash at its length', async () => {
    const { session } = await fakeSession(cameraRoom({ attributes: { sha256: undefined as never } }));
    expect(await session.getVision('pov')).toMatchObject({ verified: 'length' });
  });

  it.each<[string, Sent, string]>([
    ['a wrong hash', { attributes: { sha256: '0'.repeat(64) } }, 'SHA-256 differs'],
    ['other bytes of the same length', { bytes: Uint8Array.from([0xff, 0xd8, 0xff, 9, 9, 9, 9]) }, 'SHA-256 differs'],
    ['missing bytes', { bytes: jpeg.slice(0, 5), announced: 7 }, '5 bytes came of 7'],
    ['another length in the attributes', { attributes: { byte_length: '8' } }, '7 bytes came of 8'],
    ['something that is no JPEG', { bytes: new Uint8Array(7) }, 'not a JPEG'],
    ['a stream that breaks off', { breaksOff: true }, 'broke off'],
  ])('refuses %s', async (_, sent, text) => {
    const { session } = await fakeSession(cameraRoom(sent));
    vi.useRealTimers();
    await expect(session.getVision('pov')).rejects.toMatchObject({
      code: 'CAPTURE_FAILED',
      message: expect.stringContaining(text),
    });
  });

  it('takes no stream of another request for its own', async () => {
    const { session } = await fakeSession(cameraRoom({ attributes: { request_id: 'other' }, name: 'other' }));
    await expect(settled(session.getVision('pov', { timeoutMs: 2_000 }))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('fails as the capture fails', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ reply: guardReply('UNKNOWN_CAMERA', 'pov, topdown') })));
    await expect(session.getVision('back')).rejects.toMatchObject({ code: 'UNKNOWN_CAMERA' });
    await expect(session.getVision('back')).rejects.toBeInstanceOf(PlatformSDKError);
  });
});
