import { and, count, eq, gt, lt, min } from 'drizzle-orm';
import type { Caller } from '../accounts.ts';
import type { Database } from '../db/open.ts';
import { failedClaims, robots } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { isPin } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import type { RobotRow } from './lookup.ts';

/** Gives the caller the robot whose PIN they know. Wrong PINs are counted, for the robot and for the caller. */
export async function claimRobot(deps: ServiceDeps, caller: Caller, robotId: string, pinCode: string): Promise<RobotRow> {
  // A refusal is returned and thrown afterwards: an exception would roll back the count of the wrong PIN.
  const outcome = await deps.db.transaction(async (tx): Promise<RobotRow | ServiceError> => {
    // One guess at a time for a robot, so that guesses side by side do not slip under the limit.
    const [robot] = await tx.select().from(robots).where(eq(robots.id, robotId)).for('update');
    if (!robot) return ServiceError.robotNotFound();
    if (robot.ownerId !== null && robot.ownerId !== caller.accountId) return ServiceError.claimedByOther();
    const now = new Date(deps.clock.nowMs());
    const waitS = await claimWaitS(deps, tx, caller, robotId, now);
    if (waitS > 0) return ServiceError.tooManyClaims(waitS);
    if (!(await isPin(pinCode, robot.pinHash))) {
      await tx.insert(failedClaims).values({ robotId, accountId: caller.accountId, at: now });
      return ServiceError.wrongPin();
    }
    await tx.delete(failedClaims).where(eq(failedClaims.robotId, robotId));
    const claimed = { ownerId: caller.accountId, updatedAt: robot.ownerId === null ? now : robot.updatedAt };
    await tx.update(robots).set(claimed).where(eq(robots.id, robotId));
    return { ...robot, ...claimed };
  });
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}

/** Seconds until the next guess is let through; 0 when it may come now. */
async function claimWaitS(deps: ServiceDeps, tx: Database, caller: Caller, robotId: string, now: Date): Promise<number> {
  const { perRobot, perAccount, windowMs } = deps.settings.claimLimit;
  const windowStart = new Date(now.getTime() - windowMs);
  await tx.delete(failedClaims).where(lt(failedClaims.at, windowStart));
  const limits = [
    { mine: eq(failedClaims.robotId, robotId), max: perRobot },
    { mine: eq(failedClaims.accountId, caller.accountId), max: perAccount },
  ];
  let waitMs = 0;
  for (const { mine, max } of limits) {
    const [found] = await tx
      .select({ wrong: count(), oldest: min(failedClaims.at) })
      .from(failedClaims)
      .where(and(mine, gt(failedClaims.at, windowStart)));
    if (found && found.wrong >= max && found.oldest) waitMs = Math.max(waitMs, found.oldest.getTime() + windowMs - now.getTime());
  }
  return Math.ceil(waitMs / 1000);
}
