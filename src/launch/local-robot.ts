import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../control-service/caller.ts';
import type { ServiceDeps } from '../control-service/deps.ts';
import { getRobot } from '../control-service/operations/lookup.ts';
import { createRobot, listRobots } from '../control-service/operations/robots.ts';
import { createParticipantToken, openSession } from '../control-service/operations/sessions.ts';
import { ServiceError } from '../control-service/service-error.ts';
import { encodeRoomKey } from '../protocol/room/room-key.ts';
import { simulatorIdentity } from '../protocol/wire/identity.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../protocol/wire/limits.ts';
import { phoneLink } from './lan/phone-link.ts';

const NEW_ROBOT = { name: 'Robot 1', model: 'simplesim-humanoid-1', type: 'virtual' } as const;

/** A new SFU may be too slow for one call on a busy machine, where each call times out after 5 s. */
const SESSION_TRIES = 6;
const TRY_AGAIN_AFTER_MS = 500;

/** Returns the robot that a local platform gives to its user, with an open session. @returns its id */
export async function openRobot(deps: ServiceDeps, caller: Caller, wantedId: string | null): Promise<string> {
  const robotId = (await findRobot(deps, caller, wantedId)) ?? (await createRobot(deps, caller, NEW_ROBOT)).robot.id;
  for (let tried = 1; ; tried += 1) {
    try {
      await openSession(deps, caller, robotId, { worker_names: [] });
      return robotId;
    } catch (error) {
      const isSlow = error instanceof ServiceError && error.code === 'sfu.unavailable';
      if (!isSlow || tried === SESSION_TRIES) throw error;
      await sleep(TRY_AGAIN_AFTER_MS);
    }
  }
}

/** Returns a key of the robot's room, valid for four hours. @throws 409 if its session was deleted */
async function keyOfRobot(deps: ServiceDeps, caller: Caller, robotId: string): Promise<{ sfuUrl: string; token: string }> {
  return createParticipantToken(deps, caller, robotId, {
    participant_identity: simulatorIdentity(robotId),
    ttl_seconds: ROOM_KEY_DEFAULT_TTL_S,
  });
}

/** Returns a link to the robot's room, valid for four hours. @throws 409 if its session was deleted */
export async function linkToRobot(deps: ServiceDeps, caller: Caller, robotId: string, viewerUrl: string): Promise<string> {
  const { sfuUrl, token } = await keyOfRobot(deps, caller, robotId);
  return `${viewerUrl}/?key=${encodeRoomKey({ sfuUrl, token })}`;
}

/** Same as `linkToRobot`, for a phone in the network. @param pageUrl address at which it reaches the page */
export async function linkForPhone(deps: ServiceDeps, caller: Caller, robotId: string, pageUrl: string): Promise<string> {
  return phoneLink(pageUrl, (await keyOfRobot(deps, caller, robotId)).token);
}

/** Returns the previous robot, otherwise the caller's first virtual one, if any. */
async function findRobot(deps: ServiceDeps, caller: Caller, wantedId: string | null): Promise<string | null> {
  if (wantedId !== null) {
    try {
      return (await getRobot(deps.db, caller, wantedId)).id;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
  const { robots } = await listRobots(deps, caller, { limit: 100 });
  return robots.find((robot) => robot.type === 'virtual')?.id ?? null;
}
