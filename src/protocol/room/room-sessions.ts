import { hasLeft, isComing, type PersonInRoom } from './sfu-session.ts';

/** The present session of each participant of a room, over the rejoins of the runtime that asks. */
export interface RoomSessions {
  /** Takes the list of all participants that the SFU sends in answer to a join. */
  joined(people: readonly PersonInRoom[]): void;
  /** Takes the SFU's description of participants that have changed. */
  heard(people: readonly PersonInRoom[]): void;
}

/**
 * Follows the sessions by the SFU's own messages. The events of LiveKit's packages do not show a participant that has called,
 * left and returned before the SFU first describes it. An identity that comes back with another session is another participant
 * and inherits nothing. The SFU describes the next session under a name before that session can call. So everything done under
 * the name up to then belongs to an earlier session, whether the SFU has ever described that session or not.
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
