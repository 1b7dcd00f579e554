/**
 * Limits the number of wrong PINs. An attempt is counted before its PIN is checked, and forgotten if the PIN was right. So
 * parallel attempts, in any instances, cannot get past the limit, and nothing is locked while the slow hash is computed. Other
 * callers never prevent a caller's first attempt at a robot: a caller who knows the PIN gets the robot at once, however many
 * others guess. A caller waits only because of their own wrong attempts, and never for longer than the window.
 */
import { and, eq, gt, lte, or } from 'drizzle-orm';
import type { Caller } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { accounts, failedClaims } from '../db/schema.ts';
import type { ClaimLimit, ServiceDeps } from '../deps.ts';

type Try = typeof failedClaims.$inferSelect;

/**
 * Counts an attempt of the caller at the robot, whose row is locked.
 * @returns 0, or how many milliseconds the caller must wait until an attempt is accepted; this one is not counted then.
 */
export async function countTry(
  { clock, settings }: Pick<ServiceDeps, 'clock' | 'settings'>,
  tx: Database,
  caller: Caller,
  robotId: string,
): Promise<number> {
  const now = new Date(clock.nowMs());
  const since = new Date(now.getTime() - settings.claimLimit.windowMs);
  const mine = eq(failedClaims.accountId, caller.accountId);
  await tx.delete(failedClaims).where(and(mine, lte(failedClaims.at, since)));
  // Attempts in the future were stored before the clock was set back. Those of other callers stay unchanged, because their rows
  // are not locked.
  await tx
    .update(failedClaims)
    .set({ at: now })
    .where(and(mine, gt(failedClaims.at, now)));
  const tries = await tx
    .select()
    .from(failedClaims)
    .where(and(gt(failedClaims.at, since), or(mine, eq(failedClaims.robotId, robotId))));
  const waitMs = waitFor(settings.claimLimit, tries, caller.accountId, robotId, now.getTime());
  if (waitMs <= 0) await tx.insert(failedClaims).values({ robotId, accountId: caller.accountId, at: now });
  return waitMs;
}

/** Forgets the attempts of a caller with the right PIN at this robot. */
export async function forgetTries(tx: Database, caller: Caller, robotId: string): Promise<void> {
  await tx.delete(failedClaims).where(and(eq(failedClaims.accountId, caller.accountId), eq(failedClaims.robotId, robotId)));
}

/**
 * Runs claims of one caller one at a time, in all instances, until the transaction ends. Take this lock before locking robots.
 */
export async function lockCaller(tx: Database, caller: Caller): Promise<void> {
  // Not `for update`: that would also block transactions that only refer to the account.
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, caller.accountId)).for('no key update');
}

/**
 * Returns the milliseconds until another attempt is accepted, if no other caller makes one in the meantime; 0 if it is accepted
 * now.
 */
function waitFor(limit: ClaimLimit, tries: Try[], accountId: string, robotId: string, nowMs: number): number {
  const mine = tries.filter((one) => one.accountId === accountId);
  const here = tries.filter((one) => one.robotId === robotId);
  const mineHere = mine.filter((one) => one.robotId === robotId);
  /** Returns the milliseconds until fewer than `max` of these are left in the window. */
  const untilBelow = (some: Try[], max: number): number => {
    const times = some.map((one) => Math.min(one.at.getTime(), nowMs)).sort((a, b) => a - b);
    const last = times[times.length - max];
    return last === undefined ? 0 : last + limit.windowMs - nowMs;
  };
  return Math.max(
    untilBelow(mineHere, limit.perCallerAndRobot),
    untilBelow(mine, limit.perCaller),
    // Over the robot's own limit, a caller is accepted when the window contains no attempt of that caller.
    Math.min(untilBelow(here, limit.perRobot), untilBelow(mineHere, 1)),
  );
}
