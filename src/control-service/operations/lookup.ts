import { and, count, eq, sql } from 'drizzle-orm';
import type { Caller } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { preparedOnce } from '../db/prepared.ts';
import { robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { endsWithin } from '../promptly.ts';
import { ServiceError } from '../service-error.ts';

/** A stored robot. */
export type RobotRow = typeof robots.$inferSelect;
/** A stored open session. */
export type SessionRow = typeof sessions.$inferSelect;

const ROBOT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a robot can have this id. Other text is not sent to the database, which rejects some of it. */
export const isRobotId = (id: string): boolean => ROBOT_ID.test(id);

const selectRobot = (db: Database) =>
  db
    .select()
    .from(robots)
    .where(and(eq(robots.id, sql.placeholder('robotId')), eq(robots.ownerId, sql.placeholder('ownerId'))));
const robotOfOwner = preparedOnce((db) => selectRobot(db));
const robotOfOwnerLocked = preparedOnce((db) => selectRobot(db).for('update'));

const openSessionOf = preparedOnce((db) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.robotId, sql.placeholder('robotId')), eq(sessions.phase, 'open'))),
);

const touchOpenSession = preparedOnce((db) =>
  db
    .update(sessions)
    .set({ lastUsedAt: sql`${sql.param(sql.placeholder('now'), sessions.lastUsedAt)}` })
    .where(and(eq(sessions.robotId, sql.placeholder('robotId')), eq(sessions.phase, 'open')))
    .returning(),
);

/**
 * Returns the caller's robot of this id.
 * @param lock Whether to lock it against changes until the transaction ends.
 * @throws 404, also for a robot of another account.
 */
export async function getRobot(db: Database, caller: Caller, robotId: string, lock = false): Promise<RobotRow> {
  const statement = lock ? robotOfOwnerLocked : robotOfOwner;
  const [robot] = isRobotId(robotId) ? await statement(db).execute({ robotId, ownerId: caller.accountId }) : [];
  if (!robot) throw ServiceError.robotNotFound();
  return robot;
}

/** The precision of a session's last use by a command. Recording each use would cost every command a write. */
const USED_WITHIN_MS = 60_000;

/**
 * How long a command waits until its use of the session is recorded, in milliseconds. A write that fails or hangs does not block
 * a command.
 */
const NOTED_WITHIN_MS = 250;

/** Same as {@link findSession}, for a command, which counts as use of the session. */
export async function sessionForCommand(
  deps: Pick<ServiceDeps, 'db' | 'clock'>,
  robotId: string,
): Promise<SessionRow | undefined> {
  const session = await findSession(deps.db, robotId);
  const agoMs = session === undefined ? 0 : deps.clock.nowMs() - session.lastUsedAt.getTime();
  // A time in the future was stored before the clock was set back.
  const isRecent = agoMs >= 0 && agoMs < USED_WITHIN_MS;
  if (session === undefined || isRecent) return session;
  const noting = sessionForCredential(deps, robotId).catch(() => session);
  return (await endsWithin(NOTED_WITHIN_MS, noting)) ? noting : session;
}

/** Same as {@link findSession}, for a credential: the session continues for as long as a credential may live. */
export async function sessionForCredential(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  robotId: string,
): Promise<SessionRow | undefined> {
  const [session] = await touchOpenSession(db).execute({ now: new Date(clock.nowMs()), robotId });
  return session;
}

/** Returns the open session of a robot, if any. A session that is being opened or closed does not count. */
export async function findSession(db: Database, robotId: string): Promise<SessionRow | undefined> {
  const [session] = await openSessionOf(db).execute({ robotId });
  return session;
}

/** Returns how many sessions are open, of all accounts. */
export async function countOpenSessions({ db }: Pick<ServiceDeps, 'db'>): Promise<number> {
  const [found] = await db.select({ open: count() }).from(sessions).where(eq(sessions.phase, 'open'));
  return found?.open ?? 0;
}
