import { type Room, RoomEvent } from 'livekit-client';

/**
 * Announces this participant to the others at once, and later its departure. LiveKit's server reports a participant
 * that publishes nothing only every three seconds (`subscriberUpdateInterval` in its room.go). A data track makes a publisher; it
 * carries nothing, and is removed as soon as it exists. Call this before joining the room.
 */
export function announceAtOnce(room: Room): void {
  room.once(RoomEvent.SignalConnected, () => {
    room.localParticipant
      .publishDataTrack({ name: 'announcement' })
      .then((track) => track.unpublish())
      // A server without data tracks informs them later.
      .catch(() => undefined);
  });
}
