import { ParticipantKind, type Room, RoomEvent } from 'livekit-client';
import type { RoomParticipant } from './connection-state.ts';

/** Returns who is in the room: this page first, then the others. */
export const participantsOf = (room: Room): RoomParticipant[] =>
  [room.localParticipant, ...room.remoteParticipants.values()].map((participant) => ({
    identity: participant.identity,
    name: participant.name || participant.identity,
    joinedAtMs: participant.joinedAt?.getTime() ?? 0,
    isSelf: participant === room.localParticipant,
    isAgent: participant.kind === ParticipantKind.AGENT,
  }));

/** Reports the participants of the room, after the join and after every change. */
export function followParticipants(room: Room, notify: (participants: RoomParticipant[]) => void): void {
  for (const event of [
    RoomEvent.Connected,
    RoomEvent.Reconnected,
    RoomEvent.ParticipantConnected,
    RoomEvent.ParticipantDisconnected,
    RoomEvent.ParticipantNameChanged,
  ] as const)
    room.on(event, () => notify(participantsOf(room)));
}
