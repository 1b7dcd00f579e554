import { eq } from 'drizzle-orm';
import type { Caller } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { robots } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import { isSecret } from '../slow-hash.ts';
import { countTry, forgetTries, lockCaller } from './claim-limit.ts';
import { forgetWhoPressed } from './emergency-stop.ts';
import { isRobotId, type RobotRow } from './lookup.ts';
import { countPinTry, forgetPinTry, logPinNeeded, pinVoidReason } from './pin-life.ts';

/**
 * Gives the caller the robot whose PIN they know. A robot that they already own stays theirs.
 * @throws 404; 409 if another account owns it or its PIN is void; 429 over the limit; 400 for a wrong PIN.
 */
export function claimRobot(deps: ServiceDeps, caller: Caller, robotId: string, pinCode: string): Promise<RobotRow> {
  return deps.memory.claimQueues.run(caller.accountId, async () => {
    const begun = await beginTry(deps, caller, robotId);
    // Nothing is locked and no connection is held here.
    if (!(await isSecret(pinCode, begun.pinHash, caller.accountId))) {
      if (begun.isLast) logPinNeeded(deps, robotId, 'wrong_pins');
      throw ServiceError.wrongPin();
    }
    return takeRobot(deps, caller, robotId, begun.pinHash);
  });
}

/** Counts an attempt. @returns the hash with which its PIN is compared, and whether a wrong PIN makes it the last attempt */
async function beginTry(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
): Promise<Pick<RobotRow, 'pinHash'> & { isLast: boolean }> {
  const { waitMs, ...begun } = await deps.db.transaction(async (tx) => {
    await lockCaller(tx, caller);
    const robot = await lockRobot(tx, robotId);
    refuseUnlessClaimable(robot, caller);
    const isVoid = pinVoidReason(deps.settings, robot);
    if (isVoid !== null) throw ServiceError.pinVoid(isVoid);
    const waitMs = await countTry(deps, tx, caller, robotId);
    const wrongPins = waitMs > 0 ? robot.wrongPins : await countPinTry(tx, robotId);
    return { waitMs, pinHash: robot.pinHash, isLast: wrongPins >= deps.settings.claimLimit.perPin };
  });
  // Thrown outside the transaction, so that corrections for a clock that was set back are kept.
  if (waitMs > 0) throw ServiceError.tooManyClaims(Math.ceil(waitMs / 1000));
  return begun;
}

/** Assigns the robot to the caller. Its PIN was right when it was checked. */
async function takeRobot(deps: ServiceDeps, caller: Caller, robotId: string, pinHash: string): Promise<RobotRow> {
  const taken = await deps.db.transaction(async (tx) => {
    await lockCaller(tx, caller);
    const robot = await lockRobot(tx, robotId);
    // The operator may have set another PIN in the meantime, or the owner may have released the robot.
    if (robot.pinHash !== pinHash) throw ServiceError.wrongPin();
    await forgetTries(tx, caller, robotId);
    await forgetPinTry(tx, robotId);
    // Another caller who knows the PIN may have been faster. This attempt was still right.
    if (isOfOther(robot, caller)) return null;
    if (robot.ownerId !== null) return robot;
    const claimed = { ownerId: caller.accountId, updatedAt: new Date(deps.clock.nowMs()) };
    await tx.update(robots).set(claimed).where(eq(robots.id, robotId));
    // The last owner may have pressed the stop while they released the robot.
    await forgetWhoPressed(tx, robotId);
    return { ...robot, ...claimed };
  });
  if (taken === null) throw ServiceError.claimedByOther();
  return taken;
}

async function lockRobot(tx: Database, robotId: string): Promise<RobotRow> {
  const [robot] = isRobotId(robotId) ? await tx.select().from(robots).where(eq(robots.id, robotId)).for('no key update') : [];
  if (!robot) throw ServiceError.noRobotToClaim();
  return robot;
}

const isOfOther = (robot: RobotRow, caller: Caller): boolean => robot.ownerId !== null && robot.ownerId !== caller.accountId;

function refuseUnlessClaimable(robot: RobotRow, caller: Caller): void {
  if (isOfOther(robot, caller)) throw ServiceError.claimedByOther();
}
