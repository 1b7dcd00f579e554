import type { RoomParticipant } from '../../room/connection-state.ts';
import type { ParticipantView } from './types.ts';

/** Number of remembered participants who have left. A room may see more come and go than anybody reads. */
const LEFT_KEPT = 100;

/**
 * Returns everybody in the room, then those who were in it and have left, the latest first.
 * @param before the previous list
 * @param participants those present now; empty while this page itself is not in the room, which says nothing about the others
 */
export function knownAfter(before: readonly ParticipantView[], participants: readonly RoomParticipant[]): ParticipantView[] {
  if (participants.length === 0) return [...before];
  const here = new Set(participants.map(({ identity }) => identity));
  const left = before.filter(({ identity, isSelf }) => !here.has(identity) && !isSelf);
  return [...participants, ...left.map((each) => ({ ...each, hasLeft: true as const })).slice(0, LEFT_KEPT)];
}

/** Returns the name that the room has for a participant; null for none, and for one whom it has not seen. */
export const nameOf = ({ known }: { known: readonly ParticipantView[] }, identity: string): string | null =>
  known.find((each) => each.identity === identity)?.name || null;
