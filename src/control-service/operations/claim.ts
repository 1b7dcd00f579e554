import { eq } from 'drizzle-orm';
import type { Caller } from '../accounts.ts';
import type { Database } from '../db/open.ts';
import { robots } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import { isSecret } from '../slow-hash.ts';
import { TurnsByKey } from '../turns.ts';
import { countTry, forgetTries, lockCaller } from './claim-limit.ts';
import { isRobotId, type RobotRow } from './lookup.ts';

/**
 * One claim of a caller at a time, so that the same right PIN sent many times over is not refused for tries that are only being
 * looked at, and nobody takes all the turns at the slow hash.
 */
const claimsIn = new WeakMap<ServiceDeps, TurnsByKey>();

/**
 * Gives the caller the robot whose PIN they know; one that they have already is theirs again.
 * @throws 404, 409 when it is somebody else's, 429 over the limit, 400 for a wrong PIN.
 */
export function claimRobot(deps: ServiceDeps, caller: Caller, robotId: string, pinCode: string): Promise<RobotRow> {
  const turns = claimsIn.get(deps) ?? new TurnsByKey();
  claimsIn.set(deps, turns);
  return turns.run(caller.accountId, async () => {
    const pinHash = await beginTry(deps, caller, robotId);
    // Nothing is locked and no connection is held here.
    if (!(await isSecret(pinCode, pinHash))) throw ServiceError.wrongPin();
    return takeRobot(deps, caller, robotId);
  });
}

/** Counts a try. @returns what its PIN is compared with */
async function beginTry(deps: ServiceDeps, caller: Caller, robotId: string): Promise<string> {
  return deps.db.transaction(async (tx) => {
    await lockCaller(tx, caller);
    const robot = await lockRobot(tx, robotId);
    refuseUnlessClaimable(robot, caller);
    const waitMs = await countTry(deps, tx, caller, robotId);
    if (waitMs > 0) throw ServiceError.tooManyClaims(Math.ceil(waitMs / 1000));
    return robot.pinHash;
  });
}

/** The PIN was right. */
async function takeRobot(deps: ServiceDeps, caller: Caller, robotId: string): Promise<RobotRow> {
  return deps.db.transaction(async (tx) => {
    await lockCaller(tx, caller);
    const robot = await lockRobot(tx, robotId);
    // Somebody else who knows the PIN may have been faster.
    refuseUnlessClaimable(robot, caller);
    await forgetTries(tx, caller, robotId);
    if (robot.ownerId !== null) return robot;
    const claimed = { ownerId: caller.accountId, updatedAt: new Date(deps.clock.nowMs()) };
    await tx.update(robots).set(claimed).where(eq(robots.id, robotId));
    return { ...robot, ...claimed };
  });
}

async function lockRobot(tx: Database, robotId: string): Promise<RobotRow> {
  const [robot] = isRobotId(robotId) ? await tx.select().from(robots).where(eq(robots.id, robotId)).for('no key update') : [];
  if (!robot) throw ServiceError.robotNotFound();
  return robot;
}

function refuseUnlessClaimable(robot: RobotRow, caller: Caller): void {
  if (robot.ownerId !== null && robot.ownerId !== caller.accountId) throw ServiceError.claimedByOther();
}
