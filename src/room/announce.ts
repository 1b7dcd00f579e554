import { type Room, RoomEvent } from 'livekit-client';

/**
 * Lets the others hear at once that this participant has come, and later that it has gone: of whoever publishes nothing LiveKit's server
 * tells them only every three seconds (`subscriberUpdateInterval` in its room.go). A data track makes a publisher; it carries nothing,
 * and is taken back as soon as it is there. Call it before the room is joined.
 */
export function announceAtOnce(room: Room): void {
  room.once(RoomEvent.SignalConnected, () => {
    room.localParticipant
      .publishDataTrack({ name: 'announcement' })
      .then((track) => track.unpublish())
      // A server that knows no data tracks tells them later.
      .catch(() => undefined);
  });
}
