import { type Room, RoomEvent } from 'livekit-client';
import { createAudience, type WatcherUpdate } from '../protocol/world-stream/audience.ts';

/** Reports the watchers of the robot of this room, at once and after every change. */
export function followWatchers(room: Room, notify: (update: WatcherUpdate) => void): void {
  const audience = createAudience(() => room.remoteParticipants.values(), notify);
  for (const event of [
    RoomEvent.Connected,
    RoomEvent.Reconnected,
    RoomEvent.ParticipantConnected,
    RoomEvent.ParticipantDisconnected,
    RoomEvent.ParticipantAttributesChanged,
  ] as const)
    room.on(event, audience.look);
  room.on(RoomEvent.DataReceived, (_bytes, participant, _kind, topic) => {
    if (participant === undefined) audience.heard(topic);
  });
}
