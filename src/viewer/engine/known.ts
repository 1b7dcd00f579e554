import type { RoomParticipant } from '../../room/connection-state.ts';
import type { ParticipantView } from './types.ts';

/** Number of remembered participants who have left. A room may see more of them than anyone reads. */
const LEFT_KEPT = 100;

/**
 * Returns the participants in the room, followed by those who have left, latest first.
 * @param before the previous list
 * @param participants those present now; empty while this page itself is outside the room, when nothing is known about the others
 */
export function knownAfter(before: readonly ParticipantView[], participants: readonly RoomParticipant[]): ParticipantView[] {
  if (participants.length === 0) return [...before];
  const here = new Set(participants.map(({ identity }) => identity));
  const left = before.filter(({ identity, isSelf }) => !here.has(identity) && !isSelf);
  return [...participants, ...left.map((each) => ({ ...each, hasLeft: true as const })).slice(0, LEFT_KEPT)];
}

/** Returns a participant's name in the room; null if the participant has no name or is unknown. */
export const nameOf = ({ known }: { known: readonly ParticipantView[] }, identity: string): string | null =>
  known.find((each) => each.identity === identity)?.name || null;
