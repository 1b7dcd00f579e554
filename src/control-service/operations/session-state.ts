/**
 * The current state of sessions, for clients that watch over robots: the participants of the room, and what the runtime reports
 * about itself. Reading the state does not count as use: an unused session ends however often it is read.
 */
import { and, asc, count, eq, gt, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { shownName } from '../../common/shown-text.ts';
import { IDENTITY_MAX_LENGTH } from '../../protocol/client-models/http.ts';
import type { ListQuery } from '../../protocol/service/control-requests.ts';
import {
  HELD_NAMED_MAX,
  PARTICIPANTS_NAMED_MAX,
  type RuntimeSummary,
  type SessionParticipant,
  type SessionState,
} from '../../protocol/service/session-state.ts';
import { DRIVER_KINDS } from '../../protocol/wire/driver.ts';
import { degToRad, quatInputSchema, quatToYaw, radToDeg, wrapRad } from '../../protocol/wire/geometry.ts';
import { MAX_HEADING_DEG, MAX_POSITION_M } from '../../protocol/wire/limits.ts';
import type { Caller } from '../caller.ts';
import { robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Presence } from '../sfu-admin.ts';
import { SfuError } from '../sfu-error.ts';
import { chooseRuntime } from './find-runtime.ts';
import { getRobot, type RobotRow, type SessionRow } from './lookup.ts';
import type { SaidState, Seen } from './room-looks.ts';
import { askSfu } from './sessions.ts';

/** How long a lookup of a room is reused for lists: a room is not looked up more often, however many clients watch. */
const LOOK_COUNTS_MS = 2_000;
/** How long to wait for a runtime. It reads its state without delay. */
const STATE_WITHIN_MS = 1_500;
/** Extra time for the path through the media server. */
const WAY_MS = 500;

/**
 * Returns the current state of a robot's session.
 * @throws 404 for the robot of another account, 503 if the media server does not answer
 */
export async function readSessionState(deps: ServiceDeps, caller: Caller, robotId: string): Promise<SessionState> {
  const robot = await getRobot(deps.db, caller, robotId);
  const [session] = await deps.db.select().from(sessions).where(eq(sessions.robotId, robotId));
  if (!session) return stateOf(deps, robotId, null, null);
  return stateOf(deps, robotId, session, await look(deps, robot, session, 0));
}

/** Returns one page of the sessions of the caller's robots, in the order of the robots. `nextId` is null on the last page. */
export async function listSessionStates(
  deps: ServiceDeps,
  caller: Caller,
  query: ListQuery,
): Promise<{ states: SessionState[]; nextId: string | null; total: number }> {
  const { db } = deps;
  const own = eq(robots.ownerId, caller.accountId);
  const found = await db
    .select({ robot: robots, session: sessions })
    .from(sessions)
    .innerJoin(robots, eq(robots.id, sessions.robotId))
    .where(query.after_id === undefined ? own : and(own, gt(robots.id, query.after_id)))
    .orderBy(asc(robots.id))
    .limit(query.limit + 1);
  const ownIds = db.select({ id: robots.id }).from(robots).where(own);
  const [counted] = await db.select({ total: count() }).from(sessions).where(inArray(sessions.robotId, ownIds));
  const page = found.slice(0, query.limit);
  const failed = new AbortController();
  const states = await Promise.all(
    page.map(async ({ robot, session }) => {
      try {
        return stateOf(deps, robot.id, session, await look(deps, robot, session, LOOK_COUNTS_MS, failed.signal));
      } catch (error) {
        // The media server is unreachable for all of them.
        failed.abort(error);
        throw error;
      }
    }),
  );
  return { states, nextId: found.length > query.limit ? (states.at(-1)?.robot_id ?? null) : null, total: counted?.total ?? 0 };
}

function stateOf({ clock }: ServiceDeps, robotId: string, session: SessionRow | null, seen: Seen | null): SessionState {
  const { present = [], runtime = null } = seen ?? {};
  const inOrder = [...present].sort((a, b) => a.joinedAtMs - b.joinedAtMs);
  return {
    robot_id: robotId,
    phase: session?.phase ?? 'none',
    opened_at: session?.createdAt.toISOString() ?? null,
    participants: inOrder.slice(0, PARTICIPANTS_NAMED_MAX).map(participantOf),
    participant_count: present.length,
    runtime: runtime && { ...participantOf(runtime.who), state: runtime.said && summaryAt(runtime.said, clock.monotonicMs()) },
  };
}

/** A lookup is shared for a while, so the age is computed for each answer. */
const summaryAt = ({ summary, place, sinceMs }: SaidState, nowMs: number): RuntimeSummary => ({
  ...summary,
  place: place && { ...place, age_ms: Math.max(0, Math.round(nowMs - sinceMs)) },
});

const participantOf = ({ identity, name, isAgent, joinedAtMs }: Presence): SessionParticipant => ({
  identity,
  name,
  is_agent: isAgent,
  joined_at: new Date(joinedAtMs).toISOString(),
});

/** @param freshMs The maximum age of a shared lookup */
async function look(
  deps: ServiceDeps,
  robot: RobotRow,
  session: SessionRow,
  freshMs: number,
  signal?: AbortSignal,
): Promise<Seen | null> {
  if (session.phase !== 'open') return null;
  const asked = { room: session.roomName, owner: robot.ownerId ?? '', freshMs, nowMs: deps.clock.monotonicMs() };
  return deps.memory.looks.look(asked, async () => {
    signal?.throwIfAborted();
    return askSfu(() => lookInto(deps, robot, session.roomName));
  });
}

async function lookInto(deps: ServiceDeps, robot: RobotRow, room: string): Promise<Seen> {
  const present = await deps.sfu.listParticipants(room);
  const identity = chooseRuntime(robot, present);
  const who = present.find((participant) => participant.identity === identity);
  if (who === undefined) return { present, runtime: null };
  return { present, runtime: { who, said: await askForState(deps, room, who.identity) } };
}

/**
 * @returns null if it does not answer in time, or not with a state: any holder of the robot's key may be the runtime, and may
 * report anything
 */
async function askForState({ sfu, clock }: ServiceDeps, room: string, identity: string): Promise<SaidState | null> {
  // The answer is sent after this, so the reported age is never too low.
  const askedMs = clock.monotonicMs();
  const signal = AbortSignal.timeout(STATE_WITHIN_MS + WAY_MS);
  const call = { room, identity, method: 'runtime.state', payload: '{}', timeoutMs: STATE_WITHIN_MS, signal };
  let reply: unknown;
  try {
    reply = JSON.parse(await sfu.performRpc(call));
  } catch (error) {
    if (error instanceof SfuError || error instanceof SyntaxError || signal.aborted) return null;
    throw error;
  }
  const said = saidSchema.safeParse(reply);
  if (!said.success) return null;
  const { runtime, robot } = said.data;
  const { active_action: active, last_action: last } = runtime;
  const { driver, emergency_stop: stop, scene_id: sceneId, control } = robot.extra;
  const summary = {
    status: runtime.status,
    robot_status: robot.status,
    is_stopped: stop !== null && stop !== undefined,
    active_action: active ? { name: active.name, phase: active.phase, started_at_ms: active.started_at_ms } : null,
    last_action: last ? { name: last.name, status: last.status, finished_at_ms: last.finished_at_ms } : null,
    driver: driver ? { identity: driver.identity, name: driver.name, kind: driver.kind, since_ms: driver.since_ms } : null,
    scene_id: sceneId ?? null,
    held_entity_ids: robot.held_entity_ids.slice(0, HELD_NAMED_MAX),
  };
  return { summary, place: placeOf(robot.pose), sinceMs: askedMs - (control?.telemetry_age_ms ?? 0) };
}

function placeOf(pose: z.infer<typeof saidPoseSchema> | null | undefined): SaidState['place'] {
  if (!pose) return null;
  const { position, yaw_deg: yawDeg, orientation_xyzw: quaternion } = pose;
  const deg = yawDeg ?? (quaternion ? radToDeg(quatToYaw(quaternion)) : null);
  if (deg === null) return null;
  return { x_m: rounded(position[0], 3), y_m: rounded(position[1], 3), yaw_deg: rounded(radToDeg(wrapRad(degToRad(deg))), 1) };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

const said = z.string().transform(shownName);
/** The form of a scene's id. Any other text of a runtime is not passed on. */
const SCENE_ID = /^[\w-]{1,64}$/;
const atMostADay = (ageMs: number): number => Math.min(ageMs, 86_400_000);
const coordinateM = z.number().min(-MAX_POSITION_M).max(MAX_POSITION_M);
const saidPoseSchema = z.looseObject({
  position: z.tuple([coordinateM, coordinateM, z.number()]),
  yaw_deg: z.number().min(-MAX_HEADING_DEG).max(MAX_HEADING_DEG).nullish(),
  orientation_xyzw: quatInputSchema.nullish(),
});
/** The part of the state that is passed on. A field in another form counts as absent. */
const saidSchema = z.looseObject({
  runtime: z.looseObject({
    status: z.enum(['ready', 'busy', 'error']),
    active_action: z.looseObject({ name: said, phase: said, started_at_ms: z.int() }).nullish().catch(null),
    last_action: z
      .looseObject({ name: said, status: z.enum(['done', 'failed', 'cancelled']), finished_at_ms: z.int() })
      .nullish()
      .catch(null),
  }),
  robot: z.looseObject({
    status: z.enum(['ready', 'moving', 'holding', 'fallen', 'error', 'unknown']).catch('unknown'),
    pose: saidPoseSchema.nullish().catch(null),
    held_entity_ids: z.array(said).catch([]),
    extra: z.looseObject({
      scene_id: z.string().regex(SCENE_ID).nullish().catch(null),
      control: z
        .looseObject({ telemetry_age_ms: z.number().min(0).transform(atMostADay).nullish() })
        .nullish()
        .catch(null),
      emergency_stop: z.unknown().optional(),
      driver: z
        .looseObject({
          identity: z.string().max(IDENTITY_MAX_LENGTH).nullable(),
          name: said,
          kind: z.enum(DRIVER_KINDS),
          since_ms: z.int(),
        })
        .nullish()
        .catch(null),
    }),
  }),
});
