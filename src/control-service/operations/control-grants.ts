import type { z } from 'zod';
import type { controlGrantSchema } from '../../protocol/service/control-requests.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDeps } from '../deps.ts';
import { newId } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import { getRobot, sessionForCredential } from './lookup.ts';
import { keepRoom } from './sessions.ts';

/** The permission for the holder of a key to command a robot in its session. */
export interface ControlGrant {
  grant: string;
  grantId: string;
  robotId: string;
  /** Name of the room. */
  session: string;
  expiresAt: Date;
}

/** Returns a grant for the key in the body, in the robot's open session. @throws 404, 409 without a session, 503 */
export async function createControlGrant(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  body: z.output<typeof controlGrantSchema>,
): Promise<ControlGrant> {
  await getRobot(deps.db, caller, robotId);
  const open = await sessionForCredential(deps, robotId);
  // This also writes new keys into the metadata of a room that was made before a change of keys.
  const session = open && (await keepRoom(deps, open));
  if (!session) throw ServiceError.noSession();
  const nowMs = deps.clock.nowMs();
  const issuedAtS = Math.floor(nowMs / 1000);
  const order = {
    grantId: newId(nowMs, deps.randomBytes),
    holder: body.holder,
    robotId,
    session: session.roomName,
    publicKey: body.public_key,
    issuedAtS,
    expiresAtS: issuedAtS + body.ttl_seconds,
  };
  const grant = await deps.sfu.control.issue(order);
  return { grant, grantId: order.grantId, robotId, session: order.session, expiresAt: new Date(order.expiresAtS * 1000) };
}
