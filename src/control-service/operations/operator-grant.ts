import { and, eq } from 'drizzle-orm';
import type { OperatorGrant } from '../../protocol/service/watch-exchange.ts';
import type { ControlKey } from '../../protocol/signed/signed-claims.ts';
import { sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { newId } from '../secrets.ts';
import type { SignedPlace } from '../tokens.ts';

/**
 * Grants the key of an operator's page what the page's link already grants: to command the robot of this session until the link
 * ends. A robot with signed control accepts no command without it.
 * @param identity the page's name in the room, which becomes the holder's
 * @returns null if the session is not open
 */
export async function operatorGrant(
  deps: Pick<ServiceDeps, 'db' | 'sfu' | 'clock' | 'randomBytes'>,
  { room, endsAtS }: SignedPlace,
  identity: string,
  publicKey: ControlKey,
): Promise<OperatorGrant | null> {
  const [session] = await deps.db
    .select({ robotId: sessions.robotId })
    .from(sessions)
    .where(and(eq(sessions.roomName, room), eq(sessions.phase, 'open')));
  if (!session) return null;
  const nowMs = deps.clock.nowMs();
  const grant = await deps.sfu.control.issue({
    grantId: newId(nowMs, deps.randomBytes),
    holder: identity,
    robotId: session.robotId,
    session: room,
    publicKey,
    issuedAtS: Math.floor(nowMs / 1000),
    expiresAtS: endsAtS,
  });
  return { grant, robot_id: session.robotId, session: room };
}
