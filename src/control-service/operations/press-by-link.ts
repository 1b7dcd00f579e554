import { and, eq } from 'drizzle-orm';
import type { LinkPressAsked } from '../../protocol/service/link-press.ts';
import type { EmergencyStopResult } from '../../protocol/wire/emergency-stop.ts';
import { robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { promptly } from '../promptly.ts';
import { robotOfRoom } from '../room-name.ts';
import { isAnyRuntime, readParticipantToken } from '../tokens.ts';
import { pressRobot } from './emergency-stop.ts';
import type { TokenKey } from './holder.ts';

/**
 * Presses the emergency stop of the robot of an operator's link, so that an operator whom the SFU has disconnected from the room
 * can still stop it. The token of the link, or of a page of it, is the right to do so: it names the room, and thereby the robot.
 * The token allows only the press here, and ends with the link. If the database does not respond, the token alone counts;
 * otherwise the session must be open.
 * @returns null for a token of another platform, an expired one, one that only allows watching, one of a revoked link, or one of
 * an ended session
 * @throws 503 if the press reached no room and was not stored
 */
export async function pressByLink(
  deps: ServiceDeps,
  key: TokenKey,
  { token, reason }: LinkPressAsked,
): Promise<EmergencyStopResult | null> {
  const place = await readParticipantToken(key, token, deps.clock.nowMs());
  // The tokens that the SFU issues to participants outlive the link, and name a kind.
  if (place === null || place.access !== 'drive' || place.kind !== null || isAnyRuntime(place.identity)) return null;
  // Only the memory of this instance: a press does not wait for the database.
  if (place.link.id !== null && deps.memory.revokedLinks.has(place.link.id)) return null;
  const { room, identity: pressedBy } = place;
  const robotId = robotOfRoom(room);
  if (robotId === null) return null;
  return deps.memory.linkPresses.run(room, async () => {
    const found = await promptly(ownerByRoom(deps, room), () => UNKNOWN);
    if (found === 'over') return null;
    return pressRobot(deps, { ...found, robotId, findRoom: async () => room, right: { room }, pressedBy, reason });
  });
}

const UNKNOWN = { accountId: null, isSure: false };

async function ownerByRoom(
  { db }: Pick<ServiceDeps, 'db'>,
  room: string,
): Promise<{ accountId: string | null; isSure: boolean } | 'over'> {
  const [found] = await db
    .select({ accountId: robots.ownerId })
    .from(sessions)
    .innerJoin(robots, eq(robots.id, sessions.robotId))
    .where(and(eq(sessions.roomName, room), eq(sessions.phase, 'open')));
  return found ? { ...found, isSure: true } : 'over';
}
