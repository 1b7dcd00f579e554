import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { CreateSessionRequest, participantTokenSchema, RoomMetadata } from '../../protocol/control-service.ts';
import { simulatorIdentity } from '../../protocol/identity.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../../protocol/limits.ts';
import type { Caller } from '../accounts.ts';
import type { Database } from '../db/open.ts';
import { sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import { SfuError } from '../sfu-admin.ts';
import { isAnyRuntime } from '../tokens.ts';
import { findSession, getRobot, type SessionRow } from './lookup.ts';

/** A place in a robot's room. */
export interface RoomPlace {
  roomName: string;
  sfuUrl: string;
  token: string;
}

/**
 * Opens the robot's session, or joins the one that is open, and gives the caller a place in its room. All or nothing: when a step
 * fails, no session and no room of it stay.
 */
export async function openSession(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  body: CreateSessionRequest,
): Promise<RoomPlace & { metadata: RoomMetadata }> {
  const session = await deps.db.transaction(async (tx) => {
    // The lock on the robot makes sessions of one robot a matter of one request at a time.
    await getRobot(tx, caller, robotId, true);
    const open = await findSession(tx, robotId);
    if (open) return refreshSession(deps, tx, open, body.scene_id ?? null);
    return startSession(deps, tx, robotId, body);
  });
  const identity = `client:${Buffer.from(deps.randomBytes(9)).toString('base64url')}`;
  const place = await placeIn(deps, session.roomName, { identity, name: 'client', ttlS: ROOM_KEY_DEFAULT_TTL_S });
  return { ...place, metadata: metadataOf(session) };
}

/** A place in the room of the robot's open session, for the identity that the body names. */
export async function createParticipantToken(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  body: z.output<typeof participantTokenSchema>,
): Promise<RoomPlace & { identity: string; expiresAt: Date }> {
  const robot = await getRobot(deps.db, caller, robotId);
  const session = await findSession(deps.db, robotId);
  if (!session) throw ServiceError.noSession();
  await ensureRoom(deps, session);
  const identity = body.participant_identity;
  const name = body.participant_name ?? (isAnyRuntime(identity) ? robot.name : identity);
  return { ...(await placeIn(deps, session.roomName, { identity, name, ttlS: body.ttl_seconds })), identity };
}

/** Closes the robot's room and ends its session; without a session there is nothing to do. */
export async function deleteSession(deps: ServiceDeps, caller: Caller, robotId: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await getRobot(tx, caller, robotId, true);
    await closeSession(deps, tx, robotId);
  });
}

/** The part of {@link deleteSession} for a robot that is locked already. */
export async function closeSession(deps: ServiceDeps, tx: Database, robotId: string): Promise<void> {
  const [closed] = await tx.delete(sessions).where(eq(sessions.robotId, robotId)).returning();
  if (closed) await askSfu(() => deps.sfu.deleteRoom(closed.roomName));
}

/** Says failures of the SFU as the service's own. */
export async function askSfu<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof SfuError ? ServiceError.sfuUnavailable() : error;
  }
}

async function startSession(deps: ServiceDeps, tx: Database, robotId: string, body: CreateSessionRequest): Promise<SessionRow> {
  const session: SessionRow = {
    robotId,
    roomName: `robot-${robotId}`,
    sceneId: body.scene_id ?? null,
    dispatches: [],
    phase: 'open',
    phaseEndsAt: null,
    createdAt: new Date(deps.clock.nowMs()),
  };
  await ensureRoom(deps, session);
  try {
    for (const agentName of body.worker_names ?? deps.settings.defaultWorkerNames) {
      const metadata = JSON.stringify({ robot_id: robotId, scene_id: session.sceneId });
      const id = await askSfu(() => deps.sfu.dispatchAgent(session.roomName, agentName, metadata));
      session.dispatches.push({ id, agent_name: agentName });
    }
    if (session.dispatches.length > 0) await ensureRoom(deps, session);
    await tx.insert(sessions).values(session);
  } catch (error) {
    // The failure that started this is the one to tell; a room that cannot be closed either ends by its idle time.
    await deps.sfu.deleteRoom(session.roomName).catch(() => {});
    throw error;
  }
  return session;
}

/** A session that is open goes on; its room is made again in case the SFU lost it (a restart). */
async function refreshSession(deps: ServiceDeps, tx: Database, open: SessionRow, sceneId: string | null): Promise<SessionRow> {
  const session = sceneId === null ? open : { ...open, sceneId };
  if (session !== open) await tx.update(sessions).set({ sceneId }).where(eq(sessions.robotId, open.robotId));
  await ensureRoom(deps, session);
  return session;
}

const ensureRoom = (deps: ServiceDeps, session: SessionRow): Promise<void> =>
  askSfu(() => deps.sfu.ensureRoom(session.roomName, JSON.stringify(metadataOf(session))));

function metadataOf(session: SessionRow): RoomMetadata {
  return {
    robot_id: session.robotId,
    status: 'active',
    required_participants: [simulatorIdentity(session.robotId)],
    dispatches: session.dispatches,
    dispatched_agent_names: session.dispatches.map((dispatch) => dispatch.agent_name),
    scene_id: session.sceneId,
    created_at: session.createdAt.toISOString(),
  };
}

async function placeIn(
  deps: ServiceDeps,
  room: string,
  who: { identity: string; name: string; ttlS: number },
): Promise<RoomPlace & { expiresAt: Date }> {
  const issuedAtS = Math.floor(deps.clock.nowMs() / 1000);
  const token = await deps.sfu.signToken({ room, ...who, issuedAtS });
  return { roomName: room, sfuUrl: deps.sfu.participantUrl, token, expiresAt: new Date((issuedAtS + who.ttlS) * 1000) };
}
