import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Access, SignedLink } from '../../protocol/service/access.ts';
import type { CreateSessionRequest, participantTokenSchema } from '../../protocol/service/control-requests.ts';
import type { RoomMetadata } from '../../protocol/service/control-service.ts';
import { ROOM_KEY_DEFAULT_TTL_S } from '../../protocol/wire/limits.ts';
import type { Caller } from '../caller.ts';
import { sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { roomMetadataOf } from '../room-metadata.ts';
import { newRoomName } from '../room-name.ts';
import { newId } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import type { Agent, Dispatch } from '../sfu-admin.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime, robotOfRuntime } from '../tokens.ts';
import { addLink } from './links.ts';
import { findSession, getRobot, type SessionRow, sessionForCredential } from './lookup.ts';
import { enterAgents, noteSent, sentOnly, takeBackAgents } from './session-agents.ts';
import { beginClosing, beginOpening, finishOpening, letGo, removeSession, undoClosing } from './session-phases.ts';

/** A credential for a robot's room. */
export interface RoomPlace {
  roomName: string;
  sfuUrl: string;
  /** The base URL of links to the room; null: unknown. */
  viewerUrl: string | null;
  token: string;
}

/** How many rooms are created at a time after the SFU has lost them all. */
const REOPEN_AT_ONCE = 8;

/**
 * Opens the robot's session, or joins the open one, and gives the caller a credential for its room. All or nothing: if a step
 * fails, or the caller disconnects before the end, neither the session nor its room remains.
 */
export async function openSession(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  body: CreateSessionRequest,
  signal?: AbortSignal,
): Promise<RoomPlace & { metadata: RoomMetadata; isNew: boolean }> {
  const names = [...new Set(body.worker_names ?? (await defaultWorkers(deps, caller, robotId)))];
  const now = new Date(deps.clock.nowMs());
  const fresh: SessionRow = {
    robotId,
    roomName: newRoomName(robotId, deps.randomBytes),
    sceneId: body.scene_id || null,
    dispatches: [],
    phase: 'opening',
    phaseEndsAt: null,
    lastUsedAt: now,
    createdAt: now,
  };
  let session: SessionRow | null = null;
  while (!session) {
    const opening = await beginOpening(deps, caller, fresh, signal);
    session =
      opening.kind === 'open'
        ? await joinSession(deps, opening.session, body)
        : await startSession(deps, fresh, names, opening.leftover, signal);
  }
  const identity = `client:${Buffer.from(deps.randomBytes(9)).toString('base64url')}`;
  const place = await placeIn(deps, session.roomName, { identity, name: 'client', ttlS: ROOM_KEY_DEFAULT_TTL_S });
  return { ...place, metadata: await roomMetadataOf(deps, session), isNew: session.roomName === fresh.roomName };
}

/**
 * Returns a credential for the room of the robot's open session and the identity in the body. With an access it is a link, which
 * the owner can list and revoke.
 * @throws 409 without a session, 429 for too many links
 */
export async function createParticipantToken(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  body: z.output<typeof participantTokenSchema>,
): Promise<RoomPlace & { identity: string; expiresAt: Date; linkId: string | null }> {
  const robot = await getRobot(deps.db, caller, robotId);
  const identity = body.participant_identity;
  const standsFor = robotOfRuntime(identity);
  if (standsFor !== null && standsFor !== robotId) throw ServiceError.wrongRobotIdentity(identity, robotId);
  const access = body.access ?? null;
  if (access !== null && isAnyRuntime(identity)) throw ServiceError.wrongAccess(identity);
  const session = await sessionForCredential(deps, robotId);
  if (!session) throw ServiceError.noSession();
  if (!(await keepRoom(deps, session))) throw ServiceError.noSession();
  const name = body.participant_name || (isAnyRuntime(identity) ? robot.name : identity);
  const who = { identity, name, ttlS: body.ttl_seconds, access };
  if (access === null) return { ...(await placeIn(deps, session.roomName, who)), identity, linkId: null };
  const nowMs = deps.clock.nowMs();
  const endsAtS = Math.floor(nowMs / 1000) + body.ttl_seconds;
  const id = newId(nowMs, deps.randomBytes);
  const times = { createdAt: new Date(nowMs), endsAt: new Date(endsAtS * 1000) };
  await addLink(deps, session, { id, robotId, identity, name, access, ...times });
  const place = await placeIn(deps, session.roomName, { ...who, link: { identity: null, id, endsAtS } }, nowMs);
  return { ...place, identity, linkId: id };
}

/** Closes the robot's room, disconnects all participants and ends the session. Does nothing without a session. */
export async function deleteSession(deps: ServiceDeps, caller: Caller, robotId: string): Promise<void> {
  const session = await beginClosing(deps, caller, robotId);
  if (!session) return;
  try {
    await askSfu(() => deps.sfu.deleteRoom(session.roomName));
  } catch (error) {
    // If this fails too, the session counts as closed and the next request closes the room.
    await undoClosing(deps, session).catch(() => {});
    throw error;
  }
  try {
    await removeSession(deps, session);
  } catch (error) {
    await letGo(deps, session).catch(() => {});
    throw error;
  }
}

/**
 * Creates the rooms of all open sessions again, after the SFU has restarted and lost them: it rejects participants of an unknown
 * room. Rooms that could not be created are created on the next request for them.
 * @returns the number of created rooms
 */
export async function reopenRooms(deps: ServiceDeps): Promise<number> {
  const open = await deps.db.select().from(sessions).where(eq(sessions.phase, 'open'));
  const left = [...open];
  const work = async (): Promise<void> => {
    for (let session = left.pop(); session; session = left.pop()) await keepRoom(deps, session).catch(() => {});
  };
  await Promise.all(Array.from({ length: REOPEN_AT_ONCE }, work));
  return open.length;
}

/** Converts failures of the SFU into errors of the service. */
export async function askSfu<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof SfuError ? ServiceError.sfuUnavailable() : error;
  }
}

/** Returns the agents of a session whose request names none. @throws 404 */
async function defaultWorkers({ db, settings }: ServiceDeps, caller: Caller, robotId: string): Promise<string[]> {
  const { defaultWorkerNames, physicalWorkerNames } = settings;
  if (defaultWorkerNames.length > 0 || physicalWorkerNames.length === 0) return defaultWorkerNames;
  return (await getRobot(db, caller, robotId)).type === 'physical' ? physicalWorkerNames : [];
}

async function startSession(
  deps: ServiceDeps,
  fresh: SessionRow,
  agentNames: string[],
  leftover: string | null,
  signal: AbortSignal | undefined,
): Promise<SessionRow> {
  const session = { ...fresh };
  if (leftover !== null) {
    try {
      await askSfu(() => deps.sfu.deleteRoom(leftover));
    } catch (error) {
      // The next request disconnects any participant who may still be in that room.
      await letGo(deps, session, leftover).catch(() => {});
      throw error;
    }
  }
  try {
    signal?.throwIfAborted();
    session.dispatches = await makeRoom(deps, session, agentNames);
    signal?.throwIfAborted();
    if (!(await finishOpening(deps, session))) throw ServiceError.sessionBusy();
    return session;
  } catch (error) {
    await rollBack(deps, session);
    throw error;
  }
}

/** Closes the session of this room, because its caller cannot use it. Never throws. */
export const takeBackSession = (deps: ServiceDeps, { roomName }: RoomPlace): Promise<void> => rollBack(deps, { roomName });

/** Undoes what was begun. The caller reports the failure that led here. The next request undoes what cannot be undone now. */
async function rollBack(deps: ServiceDeps, session: Pick<SessionRow, 'roomName'>): Promise<void> {
  try {
    await deps.sfu.deleteRoom(session.roomName);
    await removeSession(deps, session);
  } catch {
    await letGo(deps, session).catch(() => {});
  }
}

/** Continues an open session, with the additions in the body. Null if it has ended in the meantime. */
async function joinSession(deps: ServiceDeps, open: SessionRow, body: CreateSessionRequest): Promise<SessionRow | null> {
  const session = { ...open, sceneId: body.scene_id || open.sceneId };
  if (session.sceneId !== open.sceneId) {
    await deps.db.update(sessions).set({ sceneId: session.sceneId }).where(eq(sessions.roomName, open.roomName));
  }
  const names = body.worker_names ?? [];
  if (names.length === 0) return keepRoom(deps, session);
  // One at a time: two requests that dispatch the same agent at once would dispatch it twice.
  return deps.memory.roomQueues.run(session.roomName, async () => {
    const joined = await enterAgents(deps, session, names);
    if (!joined) return null;
    try {
      return await keepRoom(deps, { ...joined.session, sceneId: session.sceneId }, joined.session.dispatches);
    } catch (error) {
      await takeBackAgents(deps, session, joined.entered).catch(() => {});
      throw error;
    }
  });
}

/**
 * Ensures that the room of an open session exists, with its `agents`: a restarted SFU has lost it. Null if the session has ended
 * in the meantime; its room has then ended too.
 */
export async function keepRoom(
  deps: ServiceDeps,
  session: SessionRow,
  agents: SessionRow['dispatches'] = sentOnly(session.dispatches),
): Promise<SessionRow | null> {
  const names = agents.map((agent) => agent.agent_name);
  const dispatches = await noteSent(deps, session, await makeRoom(deps, session, names));
  if (dispatches === null) {
    await deps.sfu.deleteRoom(session.roomName).catch(() => {});
    return null;
  }
  return { ...session, dispatches: sentOnly(dispatches) };
}

/**
 * Writes the current metadata of an open session's room. It dispatches no agents, because two concurrent calls would dispatch
 * them twice.
 */
export async function notifyRoom(deps: ServiceDeps, { robotId, roomName }: SessionRow): Promise<void> {
  await deps.memory.roomQueues.run(roomName, async () => {
    const isOpen = async () => {
      const session = await findSession(deps.db, robotId);
      return session?.roomName === roomName ? session : null;
    };
    const session = await isOpen();
    if (session === null) return;
    await deps.sfu.ensureRoom(roomName, JSON.stringify(await roomMetadataOf(deps, session)), []);
    // The session may have been closed meanwhile, and the room must not exist again.
    if ((await isOpen()) === null) await deps.sfu.deleteRoom(roomName).catch(() => {});
  });
}

/** Creates the room with its agents, and writes their dispatches into its metadata. */
async function makeRoom(deps: ServiceDeps, session: SessionRow, agentNames: string[]): Promise<SessionRow['dispatches']> {
  const metadata = JSON.stringify({ robot_id: session.robotId, scene_id: session.sceneId });
  const agents = agentNames.map((name): Agent => ({ name, metadata }));
  const ensure = async (dispatches: SessionRow['dispatches']) => {
    const metadataText = JSON.stringify(await roomMetadataOf(deps, { ...session, dispatches }));
    return askSfu(() => deps.sfu.ensureRoom(session.roomName, metadataText, agents));
  };
  const dispatches = (await ensure(sentOnly(session.dispatches))).map(storedDispatch);
  // The ids of the dispatches are known only at this point.
  if (!sameDispatches(dispatches, session.dispatches)) await ensure(dispatches);
  return dispatches;
}

const storedDispatch = ({ id, agentName }: Dispatch) => ({ id, agent_name: agentName });
const sameDispatches = (one: SessionRow['dispatches'], other: SessionRow['dispatches']): boolean =>
  one.map(({ id }) => id).join() === other.map(({ id }) => id).join();

async function placeIn(
  deps: ServiceDeps,
  room: string,
  who: { identity: string; name: string; ttlS: number; access?: Access | null; link?: SignedLink },
  nowMs = deps.clock.nowMs(),
): Promise<RoomPlace & { expiresAt: Date }> {
  const issuedAtS = Math.floor(nowMs / 1000);
  const token = await deps.sfu.signToken({ room, ...who, issuedAtS });
  const { participantUrl: sfuUrl } = deps.sfu;
  const { viewerUrl } = deps.settings;
  return { roomName: room, sfuUrl, viewerUrl, token, expiresAt: new Date((issuedAtS + who.ttlS) * 1000) };
}
