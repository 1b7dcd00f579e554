/**
 * A PIN of six digits is not looked at for ever: limits in time alone (claim-limit.ts) let a patient caller through in the end. So each
 * has so many wrong tries in its life, of everybody together. Whoever uses them up locks the rightful owner out as well, until
 * the operator gives a new one; that is told, and is the lesser harm: a robot that somebody else drives is the greater one.
 */
import { and, count, eq, gte, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { robots } from '../db/schema.ts';
import type { ServiceDeps, Settings } from '../deps.ts';
import { newPin } from '../secrets.ts';
import type { PinVoidReason } from '../service-error.ts';
import { hashSecret } from '../slow-hash.ts';
import { isRobotId, type RobotRow } from './lookup.ts';

/** What stands in the place of a PIN that ended with its owner: nothing is equal to it. */
export const NO_PIN = '';

/** Why the robot's PIN holds no more; null while it does. */
export function pinVoidReason({ claimLimit }: Settings, robot: Pick<RobotRow, 'pinHash' | 'wrongPins'>): PinVoidReason | null {
  if (robot.pinHash === NO_PIN) return 'released';
  return robot.wrongPins >= claimLimit.perPin ? 'wrong_pins' : null;
}

/** Counts a try at the robot, whose row is locked, before its PIN is looked at. @returns how many there are now */
export async function countPinTry(tx: Database, robotId: string): Promise<number> {
  const [robot] = await tx
    .update(robots)
    .set({ wrongPins: sql`${robots.wrongPins} + 1` })
    .where(eq(robots.id, robotId))
    .returning({ wrongPins: robots.wrongPins });
  return robot?.wrongPins ?? 0;
}

/** The PIN was right: takes back what {@link countPinTry} counted. */
export async function forgetPinTry(tx: Database, robotId: string): Promise<void> {
  await tx
    .update(robots)
    .set({ wrongPins: sql`greatest(${robots.wrongPins} - 1, 0)` })
    .where(eq(robots.id, robotId));
}

/** Tells the operator that nobody can claim the robot until it has a new PIN. */
export function tellPinNeeded({ log }: Pick<ServiceDeps, 'log'>, robotId: string, reason: PinVoidReason): void {
  log({ level: 'warn', event: 'pin_needed', robot_id: robotId, reason });
}

/** How many robots nobody has nor can claim, for their PIN holds no more. */
export async function countVoidPins({ db, settings }: Pick<ServiceDeps, 'db' | 'settings'>): Promise<number> {
  const [found] = await db
    .select({ void: count() })
    .from(robots)
    .where(and(isNull(robots.ownerId), or(eq(robots.pinHash, NO_PIN), gte(robots.wrongPins, settings.claimLimit.perPin))));
  return found?.void ?? 0;
}

/** Gives the robot a new PIN, with a life of its own; whoever has claimed it keeps it. For whoever runs the service. @returns null when there is no such robot */
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
