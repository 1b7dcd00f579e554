/** The limits of an account. The database counts, so that all instances count together. */
import { and, count, eq, ne } from 'drizzle-orm';
import type { Caller } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { accounts, robots, sessions } from '../db/schema.ts';
import type { ServiceDeps, Settings } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import { notBeyond } from '../set-back.ts';
import { lockCaller } from './claim-limit.ts';

const MINUTE_MS = 60_000;

/**
 * Counts the creation of a robot, before its slow hash. `creationsPerMinute` robots may be created at once, then one each time
 * its part of a minute has passed.
 * @throws 429 if there are too many creations, or the account has enough robots
 */
export async function countCreation(deps: Pick<ServiceDeps, 'db' | 'clock' | 'settings'>, caller: Caller): Promise<void> {
  const { creationsPerMinute } = deps.settings.accountLimits;
  const stepMs = Math.max(1, Math.floor(MINUTE_MS / creationsPerMinute));
  const waitMs = await deps.db.transaction(async (tx) => {
    await lockCaller(tx, caller);
    await refuseTooManyRobots(deps.settings, tx, caller);
    const nowMs = deps.clock.nowMs();
    const own = eq(accounts.id, caller.accountId);
    const [account] = await tx.select({ until: accounts.creationsUntil }).from(accounts).where(own);
    const storedMs = account?.until?.getTime() ?? 0;
    const untilMs = Math.max(notBeyond(storedMs, nowMs, creationsPerMinute * stepMs), nowMs);
    const mustWaitMs = Math.max(0, untilMs - nowMs - (creationsPerMinute - 1) * stepMs);
    const creationsUntil = new Date(mustWaitMs > 0 ? untilMs : untilMs + stepMs);
    await tx.update(accounts).set({ creationsUntil }).where(own);
    return mustWaitMs;
  });
  // Thrown outside the transaction, so that corrections for a clock that was set back are kept.
  if (waitMs > 0) throw ServiceError.accountLimit('creations_per_minute', creationsPerMinute, Math.ceil(waitMs / 1000));
}

/** @throws 429 if the caller, whose account is locked, has the maximum number of robots */
export async function refuseTooManyRobots({ accountLimits }: Settings, tx: Database, caller: Caller): Promise<void> {
  const [found] = await tx.select({ total: count() }).from(robots).where(eq(robots.ownerId, caller.accountId));
  if ((found?.total ?? 0) >= accountLimits.robots) throw ServiceError.accountLimit('robots', accountLimits.robots);
}

/** @throws 429 if the caller, whose account is locked, has the maximum number of sessions, not counting that of the robot */
export async function refuseTooManySessions(
  { accountLimits }: Settings,
  tx: Database,
  caller: Caller,
  robotId: string,
): Promise<void> {
  const [found] = await tx
    .select({ total: count() })
    .from(sessions)
    .innerJoin(robots, eq(robots.id, sessions.robotId))
    .where(and(eq(robots.ownerId, caller.accountId), ne(sessions.robotId, robotId)));
  if ((found?.total ?? 0) >= accountLimits.openSessions) {
    throw ServiceError.accountLimit('open_sessions', accountLimits.openSessions);
  }
}
