import { profileOfIdentity } from '../../../protocol/identity.ts';
import type { RoomParticipant } from '../../../room/connection-state.ts';

/**
 * Returns the runtime that a visitor looks at: the one before, while it is there, otherwise the one that has been there longest. Null
 * while nobody in the room is the robot. Identities of runtimes are signed by the service, so nobody else has one.
 */
export function runtimeAmong(participants: readonly RoomParticipant[], before: RoomParticipant | null): RoomParticipant | null {
  const runtimes = participants
    .filter(({ identity, isSelf }) => !isSelf && profileOfIdentity(identity) !== null)
    .toSorted((a, b) => a.joinedAtMs - b.joinedAtMs);
  return runtimes.find(({ identity }) => identity === before?.identity) ?? runtimes[0] ?? null;
}
