/**
 * Limits the life of a PIN of six digits. Time limits alone (`claim-limit.ts`) would let a patient caller succeed in the end, so
 * each PIN allows a number of wrong attempts in its life, from all callers together. A caller who uses them up also locks out the
 * rightful owner until the operator sets a new PIN; the operator is informed. That is the lesser harm: a robot driven by an
 * intruder is worse.
 */
import { and, count, eq, gte, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { robots } from '../db/schema.ts';
import type { ServiceDeps, Settings } from '../deps.ts';
import { newPin } from '../secrets.ts';
import type { PinVoidReason } from '../service-error.ts';
import { hashSecret } from '../slow-hash.ts';
import { isRobotId, type RobotRow } from './lookup.ts';

/** Replaces a PIN that ended with its owner. No hash equals it. */
export const NO_PIN = '';

/** Returns why the robot's PIN is void; null while it is valid. */
export function pinVoidReason({ claimLimit }: Settings, robot: Pick<RobotRow, 'pinHash' | 'wrongPins'>): PinVoidReason | null {
  if (robot.pinHash === NO_PIN) return 'released';
  return robot.wrongPins >= claimLimit.perPin ? 'wrong_pins' : null;
}

/** Counts an attempt at the robot, whose row is locked, before its PIN is checked. @returns the number of attempts so far */
export async function countPinTry(tx: Database, robotId: string): Promise<number> {
  const [robot] = await tx
    .update(robots)
    .set({ wrongPins: sql`${robots.wrongPins} + 1` })
    .where(eq(robots.id, robotId))
    .returning({ wrongPins: robots.wrongPins });
  return robot?.wrongPins ?? 0;
}

/** Takes back the count of {@link countPinTry}, because the PIN was right. */
export async function forgetPinTry(tx: Database, robotId: string): Promise<void> {
  await tx
    .update(robots)
    .set({ wrongPins: sql`greatest(${robots.wrongPins} - 1, 0)` })
    .where(eq(robots.id, robotId));
}

/** Informs the operator that the robot cannot be claimed until it has a new PIN. */
export function logPinNeeded({ log }: Pick<ServiceDeps, 'log'>, robotId: string, reason: PinVoidReason): void {
  log({ level: 'warn', event: 'pin_needed', robot_id: robotId, reason });
}

/** Returns how many robots have no owner and cannot be claimed, because their PIN is void. */
export async function countVoidPins({ db, settings }: Pick<ServiceDeps, 'db' | 'settings'>): Promise<number> {
  const [found] = await db
    .select({ void: count() })
    .from(robots)
    .where(and(isNull(robots.ownerId), or(eq(robots.pinHash, NO_PIN), gte(robots.wrongPins, settings.claimLimit.perPin))));
  return found?.void ?? 0;
}

/**
 * Gives the robot a new PIN, with a new life; its owner stays the same. For the operator of the service.
 * @returns null for an unknown robot
 */
export async function reissuePin(
  { db, clock, randomBytes, settings }: Pick<ServiceDeps, 'db' | 'clock' | 'randomBytes' | 'settings'>,
  robotId: string,
): Promise<string | null> {
  if (!isRobotId(robotId)) return null;
  const pinCode = newPin(randomBytes);
  const pinHash = await hashSecret(pinCode, randomBytes, settings.pinHashCost);
  const changed = await db
    .update(robots)
    .set({ pinHash, wrongPins: 0, updatedAt: new Date(clock.nowMs()) })
    .where(eq(robots.id, robotId))
    .returning({ id: robots.id });
  return changed.length > 0 ? pinCode : null;
}
