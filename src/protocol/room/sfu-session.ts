/** A participant of a room, as the SFU describes it. */
export interface PersonInRoom {
  identity: string;
  /** Id of one session in the room; the next session under the same identity has another. */
  sid: string;
  /** LiveKit's number for the state. */
  state: number;
}

/** A session in a room, as the SFU named it. */
export interface SfuSession {
  identity: string;
  sid: string;
}

/**
 * Which participants count as another holder of a place.
 * - `anybody`: everyone there under the identity
 * - `connected`: those that have made a connection. A participant without a connection may be the asker: a join whose answer got
 * lost stays in the room for a while
 */
export type Counting = 'anybody' | 'connected';

/** `ParticipantInfo_State`: the rooms that ask have different packages for it. */
const ACTIVE = 2;
const DISCONNECTED = 3;

/** Whether the SFU describes a session that is over. */
export const hasLeft = ({ state }: PersonInRoom): boolean => state === DISCONNECTED;

/** Whether the SFU describes a session that has not connected yet, so that it cannot have called. */
export const isComing = ({ state }: PersonInRoom): boolean => state < ACTIVE;

/**
 * The SFU lists the participants of the room right after its answer; if it sends no list within this time, the answer is trusted.
 */
export const IDENTITY_LISTED_WITHIN_MS = 2_000;
/** A question without an answer for this long counts as answered with no. */
export const IDENTITY_ANSWER_WITHIN_MS = 5_000;

/**
 * Decides who owns the place of this identity. The SFU resumes a connection by identity alone, whatever the session. A
 * participant that was displaced by another of the same name, and does not know it, would take over the other's session, break it
 * with its own offers, and remove the other when those fail. So before a resume or a new join, the SFU's list of the room is
 * checked.
 * @returns `own` also when no counting participant is there; null when the list has no information
 */
export function whoseSession(
  people: readonly PersonInRoom[],
  { identity, sid }: SfuSession,
  counting: Counting = 'anybody',
): 'own' | 'other' | null {
  // The SFU may report the departure of the displaced session in the same message.
  const holders = people.filter((each) => each.identity === identity && !hasLeft(each));
  if (holders.length === 0) return null;
  const others = holders.filter((each) => each.sid !== sid && (counting === 'anybody' || each.state === ACTIVE));
  return others.length > 0 ? 'other' : 'own';
}
