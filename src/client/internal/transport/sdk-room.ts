import type { RoomTransport } from '../../transport.ts';
import { callFailureOf } from './call-failure.ts';

/**
 * Several times the size of the largest picture of the best quality. No stream may unpack to more, because LiveKit compresses
 * streams.
 */
export const STREAM_MAX_BYTES = 16 * 1024 * 1024;

/** The parts that the rooms of LiveKit's two SDKs have in common, as far as the library uses them. */
interface SdkRoom {
  readonly metadata?: string | undefined;
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

/** Each SDK uses its own name for the receivers. */
interface LossyOptions {
  reliable: false;
  topic: string;
  destinationIdentities: string[];
  destination_identities: string[];
}

interface SdkByteReader {
  readonly info: { readonly name: string; readonly attributes?: Readonly<Record<string, string>> | undefined };
  [Symbol.asyncIterator](): { next(): Promise<IteratorResult<Uint8Array>> };
  /** Closes the stream on this side; the SDK for browsers has no such method. */
  close?(): Promise<void>;
}

/** Returns the parts of a transport that are the same for both SDKs; joining and leaving differ. */
export function transportParts(
  room: SdkRoom,
): Pick<RoomTransport, 'metadata' | 'participants' | 'call' | 'onByteStream' | 'sendLossy'> {
  return {
    metadata: () => room.metadata,
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

/** Returns "ROOM_DELETED" in readable form: "room deleted". */
export const reasonText = (name: string | undefined): string => (name ?? 'unknown reason').toLowerCase().replaceAll('_', ' ');

async function readAtMost(reader: SdkByteReader, maxBytes: number, givenUp: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // A stream may never end and never send another chunk.
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
 * Discards all further chunks. Node's SDK closes the stream, because a listener would stay otherwise. The browser SDK stores
 * unread chunks, so they are read. Its own reader is not used: it stops at a chunk beyond the length that the sender named. Never
 * rejects.
 */
async function forget(reader: SdkByteReader): Promise<void> {
  try {
    if (reader.close) return await reader.close();
    const pieces = (reader as { reader?: ReadableStream<unknown> }).reader?.getReader();
    while (pieces && !(await pieces.read()).done);
  } catch {
    // The stream broke off, so there is nothing to discard.
  }
}

/** Returns one array of all chunks. */
function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
