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
import { countPinTry, forgetPinTry, pinVoidReason, tellPinNeeded } from './pin-life.ts';

/**
 * One claim of a caller at a time, so that the same right PIN sent many times over is not refused for tries that are only being
 * looked at, and nobody takes all the turns at the slow hash.
 */
const claimsIn = new WeakMap<ServiceDeps, TurnsByKey>();

/**
 * Gives the caller the robot whose PIN they know; one that they have already is theirs again.
 * @throws 404, 409 when it is somebody else's or its PIN is void, 429 over the limit, 400 for a wrong PIN.
 */
export function claimRobot(deps: ServiceDeps, caller: Caller, robotId: string, pinCode: string): Promise<RobotRow> {
  const turns = claimsIn.get(deps) ?? new TurnsByKey();
  claimsIn.set(deps, turns);
  return turns.run(caller.accountId, async () => {
    const begun = await beginTry(deps, caller, robotId);
    // Nothing is locked and no connection is held here.
    if (!(await isSecret(pinCode, begun.pinHash, caller.accountId))) {
      if (begun.isLast) tellPinNeeded(deps, robotId, 'wrong_pins');
      throw ServiceError.wrongPin();
    }
    return takeRobot(deps, caller, robotId, begun.pinHash);
  });
}

/** Counts a try. @returns what its PIN is compared with, and whether no further one will be looked at if this one is wrong */
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
  // Outside: what was found out of a clock that was set back is kept.
  if (waitMs > 0) throw ServiceError.tooManyClaims(Math.ceil(waitMs / 1000));
  return begun;
}

/** The PIN was right, when it was looked at. */
async function takeRobot(deps: ServiceDeps, caller: Caller, robotId: string, pinHash: string): Promise<RobotRow> {
  const taken = await deps.db.transaction(async (tx) => {
    await lockCaller(tx, caller);
    const robot = await lockRobot(tx, robotId);
    // The operator may have given another one meanwhile, or its owner have released it.
    if (robot.pinHash !== pinHash) throw ServiceError.wrongPin();
    await forgetTries(tx, caller, robotId);
    await forgetPinTry(tx, robotId);
    // Somebody else who knows the PIN may have been faster; this try was a right one all the same.
    if (isOfOther(robot, caller)) return null;
    if (robot.ownerId !== null) return robot;
    const claimed = { ownerId: caller.accountId, updatedAt: new Date(deps.clock.nowMs()) };
    await tx.update(robots).set(claimed).where(eq(robots.id, robotId));
    return { ...robot, ...claimed };
  });
  if (taken === null) throw ServiceError.claimedByOther();
  return taken;
}

async function lockRobot(tx: Database, robotId: string): Promise<RobotRow> {
  const [robot] = isRobotId(robotId) ? await tx.select().from(robots).where(eq(robots.id, robotId)).for('no key update') : [];
  if (!robot) throw ServiceError.robotNotFound();
  return robot;
}

const isOfOther = (robot: RobotRow, caller: Caller): boolean => robot.ownerId !== null && robot.ownerId !== caller.accountId;

function refuseUnlessClaimable(robot: RobotRow, caller: Caller): void {
  if (isOfOther(robot, caller)) throw ServiceError.claimedByOther();
}
