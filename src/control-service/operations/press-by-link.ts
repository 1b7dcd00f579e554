import { and, eq } from 'drizzle-orm';
import type { EmergencyStopResult } from '../../protocol/emergency-stop.ts';
import type { LinkPressAsked } from '../../protocol/link-press.ts';
import { robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { isAnyRuntime, readParticipantToken } from '../tokens.ts';
import { pressRobot } from './emergency-stop.ts';
import type { TokenKey } from './seat.ts';

/**
 * Presses the emergency stop of the robot that an operator's link is for, so that an operator whom the SFU has cut off from the room
 * still stops it. The token of the link, or of a page of it, is the right to do so: it says which room, and through that which robot; it
 * presses and does nothing else here, ends with the link, and is worth nothing when the session has ended.
 * @returns null for a token that is none of this platform, has expired, is of who only watches, whose link was revoked, or whose session is over
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
  return deps.memory.linkPresses.run(place.room, async () => {
    const [found] = await deps.db
      .select({ robotId: robots.id, accountId: robots.ownerId })
      .from(sessions)
      .innerJoin(robots, eq(robots.id, sessions.robotId))
      .where(and(eq(sessions.roomName, place.room), eq(sessions.phase, 'open')));
    return found ? pressRobot(deps, { ...found, pressedBy: place.identity, reason }) : null;
  });
}
