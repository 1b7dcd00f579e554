/** Somebody in a room, as the SFU tells of them. */
export interface PersonInRoom {
  identity: string;
  /** Of one session in the room; the next session under the same identity has another. */
  sid: string;
  /** LiveKit's number of it. */
  state: number;
}

/** A session in a room, by what the SFU called it. */
export interface RoomSeat {
  identity: string;
  sid: string;
}

/**
 * Who counts as somebody else in a place.
 * - `anybody`: whoever is there under the identity
 * - `connected`: who has made a connection. One who has not may be the asker: a join whose answer got lost stays in the room for a while
 */
export type Counting = 'anybody' | 'connected';

/** `ParticipantInfo_State`: the rooms that ask have different packages for it. */
const ACTIVE = 2;
const DISCONNECTED = 3;

/** The SFU tells who is in the room right after its answer; one that does not is trusted after this. */
export const SEAT_TOLD_WITHIN_MS = 2_000;
/** A question that gets no answer for so long is answered with no. */
export const SEAT_ANSWER_WITHIN_MS = 5_000;

/**
 * Whose is the place of this identity? The SFU resumes a connection by identity alone, whatever the session: who was put out by
 * another of its name and did not hear so would get hold of the other's session, break it with its own offers, and throw the other
 * out when those come to nothing. So who resumes, or joins again, looks first at what the SFU tells of the room.
 * @returns `own` also when nobody who counts is there; null when these people do not say
 */
export function whoseSeat(
  people: readonly PersonInRoom[],
  { identity, sid }: RoomSeat,
  counting: Counting = 'anybody',
): 'own' | 'other' | null {
  // The session that was put out may be told as gone in the same breath.
  const holders = people.filter((each) => each.identity === identity && each.state !== DISCONNECTED);
  if (holders.length === 0) return null;
  const others = holders.filter((each) => each.sid !== sid && (counting === 'anybody' || each.state === ACTIVE));
  return others.length > 0 ? 'other' : 'own';
}
