import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PlatformSDKError } from '../../src/client/index.ts';
import { doneReply, type FakeCall, FakeRoom, guardReply } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';
import { settled } from './helpers/settled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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

  /** The answer of a runtime whose cameras are not ready in time. */
  const camerasLoading = guardReply('NOT_READY', 'The robot is still loading: cameras.', {
    progress: { current: 0, total: 100 },
  });

  interface Sent {
    bytes?: Uint8Array;
    attributes?: Record<string, string>;
    announced?: number;
    name?: string;
    from?: string;
    breaksOff?: boolean;
    /** The number of streams for one request, none of which ends. */
    endless?: number;
    /** The number of first calls that are lost. */
    lostCalls?: number;
    /** The number of first calls that are answered while the cameras are still being built. */
    earlyCalls?: number;
  }

  /** The number of requested bytes of each stream. */
  const kept: number[] = [];
  /** For each stream, whether it was given up. */
  const givenUp: AbortSignal[] = [];
  let dropped = 0;
  beforeEach(() => {
    dropped = 0;
    kept.splice(0);
    givenUp.splice(0);
  });

  /** A camera that sends its stream before its reply, as the contract specifies. */
  function cameraRoom(sent: Sent = {}) {
    const room: FakeRoom = new FakeRoom((call: FakeCall, index) => {
      if (index < (sent.lostCalls ?? 0)) return { failure: 'lost' };
      if (index < (sent.earlyCalls ?? 0)) return { reply: camerasLoading };
      const { stream } = call.payload as { stream: { id: string; topic: string } };
      const bytes = sent.bytes ?? jpeg;
      const attributes = { request_id: stream.id, byte_length: String(jpeg.length), sha256: sha256(jpeg), ...sent.attributes };
      for (let count = 0; count < (sent.endless ?? 1); count += 1)
        room.streams.get(stream.topic)?.({
          from: sent.from ?? call.to,
          name: sent.name ?? stream.id,
          attributes,
          drop: () => {
            dropped += 1;
          },
          read: async (maxBytes, signal) => {
            kept.push(maxBytes);
            givenUp.push(signal);
            if (sent.breaksOff) throw new Error('reset');
            return sent.endless === undefined ? bytes : new Promise(() => {});
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

  it('getVision returns the checked bytes and their frame', async () => {
    const room = cameraRoom();
    const { session } = await fakeSession(room);
    vi.useRealTimers();
    const vision = await session.getVision(undefined, { width: 64, height: 36, quality: 0.5 });
    expect(vision).toMatchObject({ frame: { step: 12, width: 64 }, verified: 'sha256' });
    expect(vision.jpeg).toEqual(jpeg);
    expect(room.calls[0]?.payload).toMatchObject({
      selector: { kind: 'id', id: 'pov' },
      options: { width: 64, height: 36, quality: 0.5, format: 'jpeg' },
      stream: { topic: 'platform.camera_capture' },
    });
  });

  it('visions takes one picture after another, until the loop is left or the signal ends it', async () => {
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

  it('getVision requests another picture when a call is lost, while there is time', async () => {
    const { session } = await fakeSession(cameraRoom({ lostCalls: 2 }));
    vi.useRealTimers();
    expect((await session.getVision('pov', { timeoutMs: 5_000 })).jpeg).toEqual(jpeg);
    const never = await fakeSession(cameraRoom({ lostCalls: 99 }));
    const error = await never.session.getVision('pov', { timeoutMs: 300 }).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'TimeoutError', message: expect.stringMatching(/got lost after \d\.\d s/) });
  });

  it('getVision waits for cameras that are still being built, while there is time', async () => {
    const { session } = await fakeSession(cameraRoom({ earlyCalls: 2 }));
    vi.useRealTimers();
    expect((await session.getVision('pov', { timeoutMs: 5_000 })).jpeg).toEqual(jpeg);
    const never = await fakeSession(cameraRoom({ earlyCalls: 99 }));
    const error = await never.session.getVision('pov', { timeoutMs: 300 }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'NOT_READY', message: expect.stringContaining('cameras') });
  });

  it('getVision checks the length of a picture whose sender names no hash', async () => {
    const { session } = await fakeSession(cameraRoom({ attributes: { sha256: undefined as never } }));
    expect(await session.getVision('pov')).toMatchObject({ verified: 'length' });
  });

  it.each<[string, Sent, string]>([
    ['a wrong hash', { attributes: { sha256: '0'.repeat(64) } }, 'SHA-256 differs'],
    ['other bytes of the same length', { bytes: Uint8Array.from([0xff, 0xd8, 0xff, 9, 9, 9, 9]) }, 'SHA-256 differs'],
    ['missing bytes', { bytes: jpeg.slice(0, 5), announced: 7 }, '5 bytes came of 7'],
    ['another length in the attributes', { attributes: { byte_length: '8' } }, '7 bytes came of 8'],
    ['bytes that are not a JPEG', { bytes: new Uint8Array(7) }, 'not a JPEG'],
    ['a stream that breaks off', { breaksOff: true }, 'broke off'],
  ])('getVision rejects %s', async (_, sent, text) => {
    const { session } = await fakeSession(cameraRoom(sent));
    vi.useRealTimers();
    await expect(session.getVision('pov')).rejects.toMatchObject({
      code: 'CAPTURE_FAILED',
      message: expect.stringContaining(text),
    });
  });

  it.each<[string, Sent]>([
    ['another request', { attributes: { request_id: 'other' }, name: 'other' }],
    ['a participant that is not a runtime', { from: 'client:x' }],
  ])('getVision ignores a stream of %s, and keeps nothing of it', async (_, sent) => {
    const { session } = await fakeSession(cameraRoom(sent));
    await expect(settled(session.getVision('pov', { timeoutMs: 2_000 }))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect({ kept, dropped }).toEqual({ kept: [], dropped: 1 });
  });

  it('getVision keeps one stream of many for one request, and nothing of it once the time is up', async () => {
    const { session } = await fakeSession(cameraRoom({ endless: 100 }));
    await expect(settled(session.getVision('pov', { timeoutMs: 2_000 }))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect({ kept, dropped }).toEqual({ kept: [16 * 1024 * 1024], dropped: 99 });
    expect(givenUp.every(({ aborted }) => aborted)).toBe(true);
  });

  it('getVision listens for streams only while a picture is awaited, because any participant may open them', async () => {
    const room = cameraRoom();
    const { session } = await fakeSession(room);
    vi.useRealTimers();
    expect(room.streams.size).toBe(0);
    const both = Promise.all([session.getVision('pov'), session.getVision('topdown')]);
    expect(room.streams.size).toBe(1);
    await both;
    expect(room.streams.size).toBe(0);
    expect((await session.getVision('pov')).jpeg).toEqual(jpeg);
  });

  it('getVision fails as the capture fails', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ reply: guardReply('UNKNOWN_CAMERA', 'pov, topdown') })));
    await expect(session.getVision('back')).rejects.toMatchObject({ code: 'UNKNOWN_CAMERA' });
    await expect(session.getVision('back')).rejects.toBeInstanceOf(PlatformSDKError);
  });
});
