import { type Room, RoomEvent } from 'livekit-client';

/**
 * Tells the others at once that this participant has come, and later that it has gone. LiveKit's server reports a participant
 * that publishes nothing only every three seconds (`subscriberUpdateInterval` in its room.go). A data track makes a publisher; it
 * carries nothing, and is removed as soon as it exists. Call this before joining the room.
 */
export function announceAtOnce(room: Room): void {
  room.once(RoomEvent.SignalConnected, () => {
    room.localParticipant
      .publishDataTrack({ name: 'announcement' })
      .then((track) => track.unpublish())
      // A server without data tracks tells them later.
      .catch(() => undefined);
  });
}
