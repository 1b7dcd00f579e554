import { and, eq } from 'drizzle-orm';
import type { EmergencyStopResult } from '../../protocol/emergency-stop.ts';
import type { LinkPressAsked } from '../../protocol/link-press.ts';
import { robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { promptly } from '../promptly.ts';
import { robotOfRoom } from '../room-name.ts';
import { isAnyRuntime, readParticipantToken } from '../tokens.ts';
import { pressRobot } from './emergency-stop.ts';
import type { TokenKey } from './seat.ts';

/**
 * Presses the emergency stop of the robot that an operator's link is for, so that an operator whom the SFU has cut off from the room
 * still stops it. The token of the link, or of a page of it, is the right to do so: it names the room, and through that the robot. It
 * presses and does nothing else here, and ends with the link. If the database is silent, the token alone counts; if it answers, the
 * session must be open.
 * @returns null for a token that is none of this platform, has expired, is of who only watches, whose link was revoked, or whose session is over
 * @throws 503 when nobody could be told and nothing stored
 */
export async function pressByLink(
  deps: ServiceDeps,
  key: TokenKey,
  { token, reason }: LinkPressAsked,
): Promise<EmergencyStopResult | null> {
  const place = await readParticipantToken(key, token, deps.clock.nowMs());
  // The tokens that the SFU gives to whoever is in a room outlive the link, and name a kind.
  if (place === null || place.access !== 'drive' || place.kind !== null || isAnyRuntime(place.identity)) return null;
  // What this instance remembers: a press waits for no database.
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
