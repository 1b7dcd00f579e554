import { isRuntimeOf, profileOfIdentity } from '../../../protocol/wire/identity.ts';
import type { RoomParticipant } from '../../../room/connection-state.ts';

/**
 * Returns the runtime that a visitor looks at: the current one while it is present, otherwise the one that has been present
 * longest. Null while no participant is the robot. The service signs names that begin like a runtime's (`simplesim-left`) for
 * programs. Therefore only two kinds count: the robot's own identities, which the service signs only for rooms of this robot, and
 * agents that were requested from the SFU.
 * @param robotId from the metadata of the room; null while unknown
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
