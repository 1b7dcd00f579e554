import { contractOf } from './contract.ts';
import { PRODUCT_NAME } from './limits.ts';
import { RUNTIME_PROFILES, type RuntimeProfile } from './profile.ts';

/** The identity under which the simulator joins a robot's room. */
export const simulatorIdentity = (robotId: string): string => runtimeIdentity('simulator', robotId);

/** The identity under which the Robot Control Worker of a robot joins its room, in a tab or without one. */
export const rcwIdentity = (robotId: string): string => runtimeIdentity('worker', robotId);

/** The prefix of the identities of Robot Control Workers. */
export const RCW_PRODUCT_NAME = contractOf('worker').identityPrefix;

/** Returns the identity of a robot's runtime of this profile: the identities in the room show which contract is kept. */
export const runtimeIdentity = (profile: RuntimeProfile, robotId: string): string => contractOf(profile).identityOf(robotId);

/** The prefix of the identities of a profile's runtimes, by which clients find them. */
export const runtimeName = (profile: RuntimeProfile): string => contractOf(profile).identityPrefix;

/** Returns the profile of the runtime that joins under this identity; null for other participants. */
export const profileOfIdentity = (identity: string): RuntimeProfile | null =>
  RUNTIME_PROFILES.find((profile) => isRuntimeIdentity(identity, runtimeName(profile))) ?? null;

/**
 * Returns whether this participant is a runtime of the named kind: its identity is the name, or the name followed by `-` or `:`.
 */
export function isRuntimeIdentity(identity: string, prefix: string = PRODUCT_NAME): boolean {
  return identity === prefix || identity.startsWith(`${prefix}-`) || identity.startsWith(`${prefix}:`);
}

/** Returns the robot that a runtime's identity names, or null if it names none. @param prefix of identities of its kind */
export function robotIdOfIdentity(identity: string, prefix: string = PRODUCT_NAME): string | null {
  if (!isRuntimeIdentity(identity, prefix) || identity.length <= prefix.length + 1) return null;
  return identity.slice(prefix.length + 1);
}

/**
 * Returns whether this identity belongs to a runtime of this robot, of either profile: the service signs it only for rooms of
 * this robot.
 */
export const isRuntimeOf = (robotId: string, identity: string): boolean =>
  RUNTIME_PROFILES.some((profile) => robotIdOfIdentity(identity, runtimeName(profile)) === robotId);

/** LiveKit attribute with the name under which an agent was dispatched; clients count the agent for that name. */
export const AGENT_NAME_ATTRIBUTE = 'lk.agent.name';
