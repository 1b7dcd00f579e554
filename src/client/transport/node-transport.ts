import type { Room } from '@livekit/rtc-node';
import { callFailureOf, joinChunks, type RoomTransport } from './room-transport.ts';

/** A name that bundlers do not follow: this package holds native code and has no place in a page. */
const PACKAGE = '@livekit/rtc-node';

/** A room in Node, over `@livekit/rtc-node`. */
export async function nodeTransport(): Promise<RoomTransport> {
  const rtc = await loadQuietly();
  const room: Room = new rtc.Room();
  const ended = new Promise<void>((resolve) => {
    room.once('disconnected', () => resolve());
  });
  return {
    async connect(url, token, listener) {
      room.on('participantConnected', ({ identity }) => listener.participantJoined(identity));
      room.on('participantDisconnected', ({ identity }) => listener.participantLeft(identity));
      room.on('reconnecting', () => listener.reconnecting());
      room.on('reconnected', () => listener.reconnected());
      room.on('disconnected', (reason) => listener.disconnected(reasonText(rtc.DisconnectReason[reason])));
      // Rooms of robots carry data alone; there is nothing to subscribe to.
      await room.connect(url, token, { autoSubscribe: false, dynacast: false });
    },
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
        handler({
          from: identity,
          name,
          attributes: attributes ?? {},
          read: async () => joinChunks(await reader.readAll()),
        });
      });
    },
    async disconnect() {
      // LiveKit may lose its answer when the room ends at the same moment; the event comes all the same.
      await Promise.race([room.disconnect().catch(() => {}), ended]);
    },
  };
}

let loaded: typeof import('@livekit/rtc-node') | null = null;

/** Ends the native part of the package, if it was ever loaded. */
export async function disposeNode(): Promise<void> {
  await loaded?.dispose();
}

/** The package logs its debugging to the standard output unless NODE_ENV says production while it is loaded. */
async function loadQuietly(): Promise<typeof import('@livekit/rtc-node')> {
  const unset = process.env.NODE_ENV === undefined;
  if (unset) process.env.NODE_ENV = 'production';
  try {
    loaded = (await import(/* @vite-ignore */ PACKAGE)) as typeof import('@livekit/rtc-node');
    return loaded;
  } finally {
    if (unset) delete process.env.NODE_ENV;
  }
}

const reasonText = (name: string | undefined): string => (name ?? 'unknown reason').toLowerCase().replaceAll('_', ' ');
