import { handleForgottenSends } from '../../../protocol/room/forgotten-sends.ts';
import type { RoomTransport } from '../../transport.ts';
import { reasonText, STREAM_MAX_BYTES, transportParts } from './sdk-room.ts';

const LOGGER = 'platform-robot-sdk';

/** A room in a page, over `livekit-client`. */
export async function browserTransport(): Promise<RoomTransport> {
  const { DisconnectReason, getLogger, LogLevel, Room, RoomEvent } = await import('livekit-client');
  // The SDK's log may contain addresses with tokens. A separate logger leaves the page's other loggers unchanged.
  getLogger(LOGGER).setLevel(LogLevel.silent);
  const room = new Room({ loggerName: LOGGER, dataStream: { maxPayloadByteLength: STREAM_MAX_BYTES } });
  handleForgottenSends(room.engine);
  return {
    ...transportParts(room),
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
    onData(topic, handler) {
      room.on(RoomEvent.DataReceived, (bytes, sender, _kind, packetTopic) => {
        if (packetTopic === topic && sender) handler({ from: sender.identity, bytes });
      });
    },
    async disconnect() {
      await room.disconnect().catch(() => {});
    },
  };
}
