import { PRODUCT_NAME } from './limits.ts';

/** The identity under which the simulator's tab joins a robot's room. */
export const simulatorIdentity = (robotId: string): string => `${PRODUCT_NAME}:${robotId}`;

/** The identity under which the Robot Control Worker of a robot joins its room. */
export const workerIdentity = (robotId: string): string => `${WORKER_PRODUCT_NAME}-${robotId}`;

/** How identities of Robot Control Workers begin. */
export const WORKER_PRODUCT_NAME = 'rcw';

/** Is this participant a runtime of the named kind: exactly the name, or the name followed by `-` or `:`? */
export function isRuntimeIdentity(identity: string, prefix: string = PRODUCT_NAME): boolean {
  return identity === prefix || identity.startsWith(`${prefix}-`) || identity.startsWith(`${prefix}:`);
}

/** The robot that a runtime's identity stands for, or null when it names none. @param prefix as the identity of its kind begins */
export function robotIdOfIdentity(identity: string, prefix: string = PRODUCT_NAME): string | null {
  if (!isRuntimeIdentity(identity, prefix) || identity.length <= prefix.length + 1) return null;
  return identity.slice(prefix.length + 1);
}
