import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import type { Presence } from '../sfu-admin.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime } from '../tokens.ts';
import { type RobotRow, sessionForCommand } from './lookup.ts';

/** The address of a runtime: the same participant for every call of a command. */
export interface RuntimeAddress {
  robotId: string;
  room: string;
  identity: string;
  /** Its presence as just seen in the room; null if that was some time ago. */
  seen: Presence | null;
}

/** Between two questions. */
export const PAUSE_MS = 100;
/**
 * A runtime or an SFU that disconnected is back within this time, or will not return. A cluster needs some 15 s to replace a node
 * that died.
 */
export const BACK_WITHIN_MS = 20_000;

/**
 * Finds the runtime in the room of a robot. Waits for an SFU that is unreachable, as the command itself does.
 * @throws 409 without a session, without a runtime, or with several candidates; 503 if the SFU stays unreachable
 */
export async function findRuntime(deps: ServiceDeps, robot: RobotRow, signal?: AbortSignal): Promise<RuntimeAddress> {
  const robotId = robot.id;
  const session = await sessionForCommand(deps, robotId);
  if (!session) throw ServiceError.noSession();
  const present = (await listPatiently(deps, session.roomName, signal)).filter(({ identity }) => isAnyRuntime(identity));
  if (present.length === 0) throw ServiceError.runtimeAbsent();
  const identity = chooseRuntime(robot, present);
  if (identity === null) throw ServiceError.runtimeAmbiguous(present.map((participant) => participant.identity).sort());
  const seen = present.find((participant) => participant.identity === identity) ?? null;
  return { robotId, room: session.roomName, identity, seen };
}

/**
 * Returns the identity of the runtime that receives the robot's commands; null if there is no runtime, or several of which none
 * has the robot's own identity.
 */
export function chooseRuntime({ id, type }: RobotRow, present: Presence[]): string | null {
  const identities = present.map(({ identity }) => identity).filter(isAnyRuntime);
  const own = [`simplesim:${id}`, `rcw-${id}`];
  // A tab may stand in for a physical robot, but the physical robot has priority.
  if (type === 'physical') own.reverse();
  const [only, ...others] = identities;
  return own.find((wanted) => identities.includes(wanted)) ?? (others.length === 0 ? (only ?? null) : null);
}

async function listPatiently(deps: ServiceDeps, room: string, signal?: AbortSignal): Promise<Presence[]> {
  const startedMs = deps.clock.monotonicMs();
  for (;;) {
    try {
      return await deps.sfu.listParticipants(room);
    } catch (error) {
      if (!(error instanceof SfuError)) throw error;
      if (deps.clock.monotonicMs() - startedMs > BACK_WITHIN_MS) throw ServiceError.sfuUnavailable();
    }
    await sleep(PAUSE_MS, undefined, signal ? { signal } : {});
  }
}
