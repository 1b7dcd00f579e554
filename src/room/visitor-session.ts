import { type ByteStreamReader, ConnectionState, Room, RoomEvent } from 'livekit-client';
import { handleForgottenSends } from '../protocol/room/forgotten-sends.ts';
import type { VisitorKey } from '../protocol/room/room-key.ts';
import { CALL_UNPACKED_MAX_BYTES, CAPTURE_TOPIC } from '../protocol/wire/limits.ts';
import { announceAtOnce } from './announce.ts';
import type { RoomParticipant } from './connection-state.ts';
import { type Aftermath, afterDisconnect, afterFailedJoin } from './disconnects.ts';
import { followParticipants, participantsOf } from './participants.ts';

/** A call to a participant of the room. */
export interface VisitorCall {
  /** Identity of who answers it. */
  to: string;
  method: string;
  /** JSON text. */
  payload: string;
  timeoutMs: number;
}

/** The presence of a visitor in a room. */
export interface VisitorSession {
  participants(): RoomParticipant[];
  /** @returns the reply as it came. @throws what LiveKit throws: no answer in time, no participant of this name, no connection */
  call(call: VisitorCall): Promise<string>;
  /** Sends a packet to a participant of the room; it may get lost. */
  sendLossy(to: string, topic: string, bytes: Uint8Array): void;
  /** Leaves; `onDisconnected` is not called afterwards. */
  close(): Promise<void>;
}

export interface VisitorHandlers {
  onParticipants(participants: RoomParticipant[]): void;
  /** LiveKit is reconnecting automatically (true), or has done so (false). */
  onReconnecting(reconnecting: boolean): void;
  onDisconnected(aftermath: Aftermath): void;
  /** Called with the control service's current metadata of the room: JSON text, or empty. */
  onMetadata(metadata: string): void;
  /** A data packet of a participant of the room. */
  onData(packet: DataPacket): void;
  /** A picture that a participant of the room has sent to this page. */
  onPicture(picture: ReceivedPicture): void;
}

export interface ReceivedPicture {
  bytes: Uint8Array;
  /** The id that the request for it gave it. */
  requestId: string;
  /** The sender, as the server reports it. */
  identity: string;
}

export interface DataPacket {
  bytes: Uint8Array;
  topic: string;
  /** The sender, as the server reports it. */
  identity: string;
}

export type OpenedVisit = { ok: true; session: VisitorSession } | { ok: false; aftermath: Aftermath };

/**
 * Joins a room as a participant that is not the robot. It answers no calls and takes no media. Only keys with the right to
 * drive allow pictures and calls. Never throws: a failed join returns its aftermath.
 */
export async function openVisitorSession(key: VisitorKey, handlers: VisitorHandlers, signal: AbortSignal): Promise<OpenedVisit> {
  const room = new Room({
    disconnectOnPageLeave: false,
    adaptiveStream: false,
    dynacast: false,
    dataStream: { maxPayloadByteLength: CALL_UNPACKED_MAX_BYTES },
  });
  handleForgottenSends(room.engine);
  if (key.access === 'drive') {
    announceAtOnce(room);
    receivePictures(room, handlers.onPicture);
  }
  followParticipants(room, (participants) => handlers.onParticipants(participants));
  room.on(RoomEvent.DataReceived, (bytes, participant, _kind, topic) => {
    if (participant && topic !== undefined) handlers.onData({ bytes, topic, identity: participant.identity });
  });
  const onAbort = (): void => void room.disconnect();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await room.connect(key.sfuUrl, key.token, { autoSubscribe: false });
    if (signal.aborted) throw new Error('aborted');
  } catch (error) {
    await room.disconnect();
    return { ok: false, aftermath: afterFailedJoin(error) };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  let alive = true;
  room.on(RoomEvent.ConnectionStateChanged, (state) => {
    if (!alive) return;
    if (state === ConnectionState.Reconnecting || state === ConnectionState.SignalReconnecting) handlers.onReconnecting(true);
    else if (state === ConnectionState.Connected) handlers.onReconnecting(false);
  });
  room.once(RoomEvent.Disconnected, (reason) => {
    const wasAlive = alive;
    alive = false;
    if (wasAlive) handlers.onDisconnected(afterDisconnect(reason));
  });
  const reportMetadata = (): void => handlers.onMetadata(room.metadata ?? '');
  room.on(RoomEvent.RoomMetadataChanged, reportMetadata);
  reportMetadata();
  return {
    ok: true,
    session: {
      participants: () => participantsOf(room),
      call: ({ to, method, payload, timeoutMs }) =>
        room.localParticipant.performRpc({ destinationIdentity: to, method, payload, responseTimeout: timeoutMs }),
      sendLossy: (to, topic, bytes) =>
        void room.localParticipant
          .publishData(new Uint8Array(bytes), { reliable: false, topic, destinationIdentities: [to] })
          .catch(() => undefined),
      async close() {
        alive = false;
        await room.disconnect();
      },
    },
  };
}

/** A larger stream is not a picture. */
const PICTURE_MAX_BYTES = 16 * 1024 * 1024;

function receivePictures(room: Room, onPicture: VisitorHandlers['onPicture']): void {
  const receive = async (reader: ByteStreamReader, identity: string): Promise<void> => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of reader) {
        length += chunk.length;
        if (length > PICTURE_MAX_BYTES) return;
        chunks.push(chunk);
      }
    } catch {
      // The stream broke off; the reply informs the caller, or the caller has stopped waiting.
      return;
    }
    const bytes = new Uint8Array(length);
    chunks.reduce((at, chunk) => {
      bytes.set(chunk, at);
      return at + chunk.length;
    }, 0);
    onPicture({ bytes, requestId: reader.info.attributes?.request_id ?? '', identity });
  };
  room.registerByteStreamHandler(CAPTURE_TOPIC, (reader, { identity }) => void receive(reader, identity));
}
