import { isRuntimeOf, profileOfIdentity } from '../../../protocol/identity.ts';
import type { RoomParticipant } from '../../../room/connection-state.ts';

/**
 * Returns the runtime that a visitor looks at: the one before, while it is there, otherwise the one that has been there longest. Null
 * while nobody in the room is the robot. The service signs any name that begins like a runtime's (`simplesim-left`) for a program, so
 * only these count: the robot's own identities, which it signs for rooms of this robot alone, and agents that the SFU was asked for.
 * @param robotId as the metadata of the room names it; null while that is unknown
 */
export function runtimeAmong(
  participants: readonly RoomParticipant[],
  before: RoomParticipant | null,
  robotId: string | null,
): RoomParticipant | null {
  const isRobot = ({ identity, isAgent }: RoomParticipant): boolean =>
    isAgent ? profileOfIdentity(identity) !== null : robotId !== null && isRuntimeOf(robotId, identity);
  const runtimes = participants
    .filter((participant) => !participant.isSelf && isRobot(participant))
    .toSorted((a, b) => a.joinedAtMs - b.joinedAtMs);
  return runtimes.find(({ identity }) => identity === before?.identity) ?? runtimes[0] ?? null;
}
