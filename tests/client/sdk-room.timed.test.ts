import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { transportParts } from '../../src/client/internal/transport/sdk-room.ts';
import type { IncomingStream } from '../../src/client/transport.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const PIECE_BYTES = 1_000;
const PIECES = 32;
/** A reader that waits for the next piece may still hold the latest one. */
const IN_HAND = 2;

interface Sender {
  /** The SDK of Node can close a stream; that of browsers keeps what arrives until it is read. */
  sdk: 'node' | 'browser';
  /** The number of bytes that the sender announced: livekit-client stops at the piece that exceeds it. */
  namedBytes?: number;
}

/** A stream whose pieces a test sends one by one, and which ends on request. */
function openStream({ sdk, namedBytes = Number.POSITIVE_INFINITY }: Sender) {
  const sent: WeakRef<Uint8Array>[] = [];
  let source: ReadableStreamDefaultController<Uint8Array> | null = null;
  let isClosed = false;
  let received = 0;
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      source = controller;
    },
  });
  const close = async () => {
    if (!isClosed) source?.close();
    isClosed = true;
  };
  const reader = {
    info: { name: 'x' },
    reader: pieces,
    ...(sdk === 'node' ? { close } : {}),
    [Symbol.asyncIterator]() {
      const lock = pieces.getReader();
      return {
        async next(): Promise<IteratorResult<Uint8Array>> {
          const step = await lock.read();
          received += step.value?.length ?? 0;
          if (received <= namedBytes) return step as IteratorResult<Uint8Array>;
          lock.releaseLock();
          throw new Error('Extra chunk(s) received');
        },
        async return() {
          lock.releaseLock();
          if (sdk === 'node') await close();
          return { done: true as const, value: undefined };
        },
      };
    },
  };
  let stream: IncomingStream | undefined;
  transportParts({
    remoteParticipants: new Map(),
    registerByteStreamHandler: (_topic, handler) => handler(reader, { identity: 'simplesim:r1' }),
    unregisterByteStreamHandler: () => {},
  }).onByteStream('topic', (arrived) => {
    stream = arrived;
  });
  if (!stream) throw new Error('no stream has come');
  return {
    stream,
    async send(bytes: number) {
      const value = new Uint8Array(bytes);
      sent.push(new WeakRef(value));
      // Nothing more arrives from a closed stream.
      if (!isClosed) source?.enqueue(value);
      await new Promise(setImmediate);
    },
    /** The number of sent pieces that are still referenced. */
    async held() {
      await new Promise(setImmediate);
      collectGarbage();
      return sent.filter((piece) => piece.deref() !== undefined).length;
    },
    end: close,
    isClosed: () => isClosed,
  };
}

const never = new AbortController().signal;

describe.each(['node', 'browser'] as const)('streams over the SDK of a %s', (sdk) => {
  it('a whole stream is returned as its bytes', async () => {
    const { stream, send, end } = openStream({ sdk });
    const reading = stream.read(10, never);
    for (const bytes of [6, 4]) await send(bytes);
    await end();
    expect(await reading).toHaveLength(10);
  });

  it('a stream that is given up keeps nothing, also of later pieces, although it never ends', async () => {
    const { stream, send, isClosed, held } = openStream({ sdk });
    const over = new AbortController();
    const reading = stream.read(Number.MAX_SAFE_INTEGER, over.signal);
    reading.catch(() => {});
    for (let piece = 0; piece < PIECES; piece += 1) await send(PIECE_BYTES);
    expect(await held()).toBe(PIECES);
    over.abort(new Error('given up'));
    expect(await held()).toBeLessThanOrEqual(IN_HAND);
    for (let piece = 0; piece < PIECES; piece += 1) await send(PIECE_BYTES);
    expect(await held()).toBeLessThanOrEqual(IN_HAND);
    await expect(reading).rejects.toThrow('given up');
    expect(isClosed()).toBe(sdk === 'node');
  });

  it.each([
    ['longer than it may be', { maxBytes: 10 }, 'holds more than 10 bytes'],
    ['longer than its sender announced', { namedBytes: 10, maxBytes: 1_000_000 }, 'Extra chunk'],
  ])('a stream that is %s is rejected at once, and keeps none of its pieces', async (_, { maxBytes, ...named }, says) => {
    const { stream, send, isClosed, held } = openStream({ sdk, ...named });
    const reading = stream.read(maxBytes, never);
    reading.catch(() => {});
    for (let piece = 0; piece < PIECES; piece += 1) await send(PIECE_BYTES);
    await expect(reading).rejects.toThrow(says);
    expect(await held()).toBeLessThanOrEqual(IN_HAND);
    expect(isClosed()).toBe(sdk === 'node');
  });

  it('a stream without a reader keeps nothing', async () => {
    const { stream, send, isClosed, held } = openStream({ sdk });
    stream.drop();
    for (let piece = 0; piece < PIECES; piece += 1) await send(PIECE_BYTES);
    expect(await held()).toBeLessThanOrEqual(IN_HAND);
    expect(isClosed()).toBe(sdk === 'node');
  });
});
