import type { RoomParticipant } from '../../room/connection-state.ts';
import type { ParticipantView } from './types.ts';

/** So many of those who have left are remembered; a room may see more come and go than anybody reads. */
const LEFT_KEPT = 100;

/**
 * Everybody who is in the room, and then those who were and have left, the latest first.
 * @param before as it was
 * @param participants who is there now; nobody at all while this page itself is not in the room, which tells nothing of the others
 */
export function knownAfter(before: readonly ParticipantView[], participants: readonly RoomParticipant[]): ParticipantView[] {
  if (participants.length === 0) return [...before];
  const here = new Set(participants.map(({ identity }) => identity));
  const left = before.filter(({ identity, isSelf }) => !here.has(identity) && !isSelf);
  return [...participants, ...left.map((each) => ({ ...each, hasLeft: true as const })).slice(0, LEFT_KEPT)];
}
