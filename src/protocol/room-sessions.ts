import { hasLeft, isComing, type PersonInRoom } from './room-seat.ts';

/** Which session each participant of a room has, over the rejoins of the runtime that asks. */
export interface RoomSessions {
  /** The SFU lists everybody, as the answer to a join. */
  joined(people: readonly PersonInRoom[]): void;
  /** The SFU describes those of whom something has changed. */
  heard(people: readonly PersonInRoom[]): void;
}

/**
 * Follows the sessions by the SFU's own messages, and not by the events of LiveKit's packages, which say nothing of a participant that
 * has called, left and returned before the SFU first describes it. An identity that comes back with another session is another
 * participant: it inherits nothing. The SFU describes the next session under a name at once, before that one can call; what was done
 * under the name so far was done by an earlier session, whether the SFU has ever described that one or not.
 * @param onLeft called with the identity of each session that is over, known or not
 */
export function createRoomSessions(onLeft: (identity: string) => void): RoomSessions {
  const sids = new Map<string, string>();

  function heard(people: readonly PersonInRoom[]): void {
    for (const person of people) {
      const { identity, sid } = person;
      const known = sids.get(identity);
      if (!hasLeft(person)) {
        sids.set(identity, sid);
        if (known === undefined ? isComing(person) : known !== sid) onLeft(identity);
      } else if (known === undefined || known === sid) {
        sids.delete(identity);
        onLeft(identity);
      }
    }
  }

  return {
    heard,
    joined(people) {
      const present = new Set(people.map(({ identity }) => identity));
      for (const identity of [...sids.keys()].filter((known) => !present.has(known))) {
        sids.delete(identity);
        onLeft(identity);
      }
      heard(people);
    },
  };
}
