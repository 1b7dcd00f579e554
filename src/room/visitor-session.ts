import { ConnectionState, type Participant, Room, RoomEvent } from 'livekit-client';
import type { VisitorKey } from '../protocol/room-key.ts';
import type { RoomParticipant } from './connection-state.ts';
import { type Aftermath, afterDisconnect, afterFailedJoin } from './disconnects.ts';

/** The presence of a visitor in a room. */
export interface VisitorSession {
  participants(): RoomParticipant[];
  /** Leaves; `onDisconnected` is not called afterwards. */
  close(): Promise<void>;
}

export interface VisitorHandlers {
  onParticipants(participants: RoomParticipant[]): void;
  /** LiveKit is reconnecting by itself (true), or has done so (false). */
  onReconnecting(reconnecting: boolean): void;
  onDisconnected(aftermath: Aftermath): void;
  /** Called with the control service's current metadata of the room: JSON text, or empty. */
  onMetadata(metadata: string): void;
  /** A data packet of somebody in the room. */
  onData(packet: DataPacket): void;
}

export interface DataPacket {
  bytes: Uint8Array;
  topic: string;
  /** Who sent it, as the server says. */
  identity: string;
}

export type OpenedVisit = { ok: true; session: VisitorSession } | { ok: false; aftermath: Aftermath };

/**
 * Joins a room as somebody who is not the robot. It answers no call, and takes no media. Never throws: a failed join returns its
 * aftermath.
 */
export async function openVisitorSession(key: VisitorKey, handlers: VisitorHandlers, signal: AbortSignal): Promise<OpenedVisit> {
  const room = new Room({ disconnectOnPageLeave: false, adaptiveStream: false, dynacast: false });
  const tellParticipants = (): void => handlers.onParticipants(participantsOf(room));
  for (const event of [
    RoomEvent.Connected,
    RoomEvent.Reconnected,
    RoomEvent.ParticipantConnected,
    RoomEvent.ParticipantDisconnected,
    RoomEvent.ParticipantNameChanged,
  ] as const)
    room.on(event, tellParticipants);
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
  const tellMetadata = (): void => handlers.onMetadata(room.metadata ?? '');
  room.on(RoomEvent.RoomMetadataChanged, tellMetadata);
  tellMetadata();
  return {
    ok: true,
    session: {
      participants: () => participantsOf(room),
      async close() {
        alive = false;
        await room.disconnect();
      },
    },
  };
}

const participantsOf = (room: Room): RoomParticipant[] =>
  [room.localParticipant, ...room.remoteParticipants.values()].map((participant: Participant) => ({
    identity: participant.identity,
    name: participant.name || participant.identity,
    joinedAtMs: participant.joinedAt?.getTime() ?? 0,
    isSelf: participant === room.localParticipant,
  }));
