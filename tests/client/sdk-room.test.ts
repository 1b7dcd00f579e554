import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { IncomingStream } from '../../src/client/transport/room-transport.ts';
import { transportParts } from '../../src/client/transport/sdk-room.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const PIECE_BYTES = 1_000;
const PIECES = 32;
/** What waits for the next piece may have the latest one still in its hand. */
const IN_HAND = 2;

/** A stream of which a test sends the pieces one by one, and which ends when it says so. */
function openStream() {
  const sent: WeakRef<Uint8Array>[] = [];
  const waiting: ((step: IteratorResult<Uint8Array>) => void)[] = [];
  const next = () => new Promise<IteratorResult<Uint8Array>>((resolve) => void waiting.push(resolve));
  const step = async (what: IteratorResult<Uint8Array>) => {
    waiting.shift()?.(what);
    // The reader asks for the next one when it has taken this one.
    await new Promise(setImmediate);
  };
  let stream: IncomingStream | undefined;
  transportParts({
    remoteParticipants: new Map(),
    registerByteStreamHandler: (_topic, handler) =>
      handler({ info: { name: 'x' }, [Symbol.asyncIterator]: () => ({ next }) }, { identity: 'simplesim:r1' }),
  }).onByteStream('topic', (arrived) => {
    stream = arrived;
  });
  if (!stream) throw new Error('no stream has come');
  return {
    stream,
    send(bytes: number) {
      const value = new Uint8Array(bytes);
      sent.push(new WeakRef(value));
      return step({ done: false, value });
    },
    /** How many of the pieces that were sent somebody holds. */
    async held() {
      await new Promise(setImmediate);
      collectGarbage();
      return sent.filter((piece) => piece.deref() !== undefined).length;
    },
    end: () => step({ done: true, value: undefined }),
    isAsked: () => waiting.length > 0,
  };
}

it('of a stream that is given up nothing is kept, though it never ends, and what comes later is read and dropped', async () => {
  const { stream, send, end, isAsked, held } = openStream();
  const over = new AbortController();
  const reading = stream.read(Number.MAX_SAFE_INTEGER, over.signal);
  for (let piece = 0; piece < PIECES; piece += 1) await send(PIECE_BYTES);
  expect(await held()).toBe(PIECES);
  over.abort(new Error('given up'));
  expect(await held()).toBeLessThanOrEqual(IN_HAND);
  for (let piece = 0; piece < PIECES; piece += 1) await send(PIECE_BYTES);
  expect(isAsked()).toBe(true);
  expect(await held()).toBeLessThanOrEqual(IN_HAND);
  await Promise.all([expect(reading).rejects.toThrow('given up'), end()]);
});

it('a stream that is longer than it may be is read to its end and dropped', async () => {
  const { stream, send, end } = openStream();
  const reading = stream.read(10, new AbortController().signal);
  for (const bytes of [6, 6, 1]) await send(bytes);
  await Promise.all([expect(reading).rejects.toThrow('holds 13 bytes, more than 10'), end()]);
});

it('a whole stream is its bytes', async () => {
  const { stream, send, end } = openStream();
  const reading = stream.read(10, new AbortController().signal);
  for (const bytes of [6, 4]) await send(bytes);
  await end();
  expect(await reading).toHaveLength(10);
});
