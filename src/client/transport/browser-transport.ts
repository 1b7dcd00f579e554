import { callFailureOf, joinChunks, type RoomTransport } from './room-transport.ts';

/** A room in a page, over `livekit-client`. */
export async function browserTransport(): Promise<RoomTransport> {
  const { DisconnectReason, Room, RoomEvent } = await import('livekit-client');
  const room = new Room();
  return {
    async connect(url, token, listener) {
      room.on(RoomEvent.ParticipantConnected, ({ identity }) => listener.participantJoined(identity));
      room.on(RoomEvent.ParticipantDisconnected, ({ identity }) => listener.participantLeft(identity));
      room.on(RoomEvent.Reconnecting, () => listener.reconnecting());
      room.on(RoomEvent.Reconnected, () => listener.reconnected());
      room.on(RoomEvent.Disconnected, (reason) =>
        listener.disconnected(reasonText(reason === undefined ? undefined : DisconnectReason[reason])),
      );
      await room.connect(url, token, { autoSubscribe: false });
    },
    participants: () => [...room.remoteParticipants.keys()],
    async call({ to, method, payload, timeoutMs }) {
      try {
        return await room.localParticipant.performRpc({
          destinationIdentity: to,
          method,
          payload,
          responseTimeout: Math.ceil(timeoutMs),
        });
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
      await room.disconnect().catch(() => {});
    },
  };
}

const reasonText = (name: string | undefined): string => (name ?? 'unknown reason').toLowerCase().replaceAll('_', ' ');
