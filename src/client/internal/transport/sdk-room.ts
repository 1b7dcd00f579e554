import type { RoomTransport } from '../../transport.ts';
import { callFailureOf } from './call-failure.ts';

/** Several times what the largest picture of the best quality takes. No stream may unpack to more, for LiveKit sends them packed. */
export const STREAM_MAX_BYTES = 16 * 1024 * 1024;

/** The common part of the rooms of LiveKit's two SDKs, as far as the library uses them. */
interface SdkRoom {
  readonly remoteParticipants: ReadonlyMap<string, unknown>;
  readonly localParticipant?:
    | {
        performRpc(request: {
          destinationIdentity: string;
          method: string;
          payload: string;
          responseTimeout: number;
        }): Promise<string>;
        publishData(bytes: Uint8Array, options: LossyOptions): Promise<void>;
      }
    | undefined;
  registerByteStreamHandler(topic: string, handler: (reader: SdkByteReader, sender: { identity: string }) => void): void;
  unregisterByteStreamHandler(topic: string): void;
}

/** Each of the SDKs reads its own name of the receivers. */
interface LossyOptions {
  reliable: false;
  topic: string;
  destinationIdentities: string[];
  destination_identities: string[];
}

interface SdkByteReader {
  readonly info: { readonly name: string; readonly attributes?: Readonly<Record<string, string>> | undefined };
  [Symbol.asyncIterator](): { next(): Promise<IteratorResult<Uint8Array>> };
  /** Ends it here; the SDK of browsers has none. */
  close?(): Promise<void>;
}

/** The parts of a transport that are the same over both SDKs; joining and leaving are not. */
export function transportParts(room: SdkRoom): Pick<RoomTransport, 'participants' | 'call' | 'onByteStream' | 'sendLossy'> {
  return {
    participants: () => [...room.remoteParticipants.keys()],
    async call({ to, method, payload, timeoutMs }) {
      try {
        const local = room.localParticipant;
        if (!local) throw new Error('the room is not joined');
        return await local.performRpc({ destinationIdentity: to, method, payload, responseTimeout: Math.ceil(timeoutMs) });
      } catch (error) {
        throw callFailureOf(error);
      }
    },
    sendLossy({ to, topic, bytes }) {
      const options: LossyOptions = { reliable: false, topic, destinationIdentities: [to], destination_identities: [to] };
      room.localParticipant?.publishData(bytes, options).catch(() => undefined);
    },
    onByteStream(topic, handler) {
      room.registerByteStreamHandler(topic, (reader, { identity }) => {
        const { name, attributes } = reader.info;
        const read = (maxBytes: number, givenUp: AbortSignal) => readAtMost(reader, maxBytes, givenUp);
        const drop = () => void forget(reader);
        handler({ from: identity, name, attributes: attributes ?? {}, read, drop });
      });
      return () => room.unregisterByteStreamHandler(topic);
    },
  };
}

/** "ROOM_DELETED" as people read it. */
export const reasonText = (name: string | undefined): string => (name ?? 'unknown reason').toLowerCase().replaceAll('_', ' ');

async function readAtMost(reader: SdkByteReader, maxBytes: number, givenUp: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // A stream may never end, nor send another piece.
  const drop = () => {
    chunks.splice(0);
    void reader.close?.();
  };
  givenUp.addEventListener('abort', drop, { once: true });
  let length = 0;
  try {
    givenUp.throwIfAborted();
    for await (const chunk of reader) {
      givenUp.throwIfAborted();
      length += chunk.length;
      if (length > maxBytes) throw new RangeError(`the stream holds more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    givenUp.throwIfAborted();
    return joinChunks(chunks);
  } catch (error) {
    chunks.splice(0);
    void forget(reader);
    throw error;
  } finally {
    givenUp.removeEventListener('abort', drop);
  }
}

/**
 * Keeps nothing of what still comes. The SDK of Node closes the stream, of which a listener would stay otherwise. That of browsers keeps
 * what nobody reads, so it is read; not by its own reader, which stops at a piece beyond the length that the sender named. Never rejects.
 */
async function forget(reader: SdkByteReader): Promise<void> {
  try {
    if (reader.close) return await reader.close();
    const pieces = (reader as { reader?: ReadableStream<unknown> }).reader?.getReader();
    while (pieces && !(await pieces.read()).done);
  } catch {
    // It broke off, so there is nothing to keep.
  }
}

/** One array of all chunks. */
function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
