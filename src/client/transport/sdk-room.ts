import { callFailureOf, type RoomTransport } from './room-transport.ts';

/** What the rooms of LiveKit's two SDKs have alike, as far as the library uses them. */
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
      }
    | undefined;
  registerByteStreamHandler(topic: string, handler: (reader: SdkByteReader, sender: { identity: string }) => void): void;
}

interface SdkByteReader {
  readonly info: { readonly name: string; readonly attributes?: Readonly<Record<string, string>> | undefined };
  [Symbol.asyncIterator](): { next(): Promise<IteratorResult<Uint8Array>> };
}

/** The parts of a transport that are the same over both SDKs; joining and leaving are not. */
export function transportParts(room: SdkRoom): Pick<RoomTransport, 'participants' | 'call' | 'onByteStream'> {
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
    onByteStream(topic, handler) {
      room.registerByteStreamHandler(topic, (reader, { identity }) => {
        const { name, attributes } = reader.info;
        const read = (maxBytes: number, givenUp: AbortSignal) => readAtMost(reader, maxBytes, givenUp);
        handler({ from: identity, name, attributes: attributes ?? {}, read });
      });
    },
  };
}

/** "ROOM_DELETED" as people read it. */
export const reasonText = (name: string | undefined): string => (name ?? 'unknown reason').toLowerCase().replaceAll('_', ' ');

async function readAtMost(reader: SdkByteReader, maxBytes: number, givenUp: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // A stream may never end, nor send another piece.
  const drop = () => void chunks.splice(0);
  if (!givenUp.aborted) givenUp.addEventListener('abort', drop, { once: true });
  let length = 0;
  try {
    for await (const chunk of reader) {
      length += chunk.length;
      if (length <= maxBytes && !givenUp.aborted) chunks.push(chunk);
      else drop();
    }
  } finally {
    givenUp.removeEventListener('abort', drop);
  }
  givenUp.throwIfAborted();
  if (length > maxBytes) throw new RangeError(`the stream holds ${length} bytes, more than ${maxBytes}`);
  return joinChunks(chunks);
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
