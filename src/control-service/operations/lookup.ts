import { and, eq } from 'drizzle-orm';
import type { Caller } from '../accounts.ts';
import type { Database } from '../db/database.ts';
import { robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';

/** A robot as it is stored. */
export type RobotRow = typeof robots.$inferSelect;
/** An open session as it is stored. */
export type SessionRow = typeof sessions.$inferSelect;

const ROBOT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a robot can have this id. Other text is not shown to the database, which refuses some of it. */
export const isRobotId = (id: string): boolean => ROBOT_ID.test(id);

/**
 * The caller's robot of this id.
 * @param lock Whether nobody else may change it until the transaction ends.
 * @throws 404, for a robot of somebody else too.
 */
export async function getRobot(db: Database, caller: Caller, robotId: string, lock = false): Promise<RobotRow> {
  const query = db
    .select()
    .from(robots)
    .where(and(eq(robots.id, robotId), eq(robots.ownerId, caller.accountId)));
  const [robot] = isRobotId(robotId) ? await (lock ? query.for('update') : query) : [];
  if (!robot) throw ServiceError.robotNotFound();
  return robot;
}

/** The precision of a session's last use by a command: recording each use would cost every command a write. */
const USED_WITHIN_MS = 60_000;

/** Same as {@link findSession}, for a command: that uses the session. */
export async function sessionForCommand(
  deps: Pick<ServiceDeps, 'db' | 'clock'>,
  robotId: string,
): Promise<SessionRow | undefined> {
  const session = await findSession(deps.db, robotId);
  const agoMs = session === undefined ? 0 : deps.clock.nowMs() - session.lastUsedAt.getTime();
  // A time in the future is from before the clock was set back.
  const isRecent = agoMs >= 0 && agoMs < USED_WITHIN_MS;
  return session === undefined || isRecent ? session : sessionForCredential(deps, robotId);
}

/** Same as {@link findSession}, for a credential: the session continues for as long as a credential may live. */
export async function sessionForCredential(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  robotId: string,
): Promise<SessionRow | undefined> {
  const [session] = await db
    .update(sessions)
    .set({ lastUsedAt: new Date(clock.nowMs()) })
    .where(and(eq(sessions.robotId, robotId), eq(sessions.phase, 'open')))
    .returning();
  return session;
}

/** Returns the open session of a robot, if there is one; one that is still being opened, or being closed, does not count. */
export async function findSession(db: Database, robotId: string): Promise<SessionRow | undefined> {
  const [session] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.robotId, robotId), eq(sessions.phase, 'open')));
  return session;
}
