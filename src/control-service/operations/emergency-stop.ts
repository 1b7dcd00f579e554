import { eq, sql } from 'drizzle-orm';
import type { EmergencyStopResult } from '../../protocol/emergency-stop.ts';
import type { Caller } from '../accounts.ts';
import type { Database } from '../db/database.ts';
import { emergencyStops } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { newId } from '../secrets.ts';
import { findSession, getRobot, type SessionRow } from './lookup.ts';
import { type PressedRuntime, pressRuntimes } from './press-runtimes.ts';
import { tellRoom } from './sessions.ts';

/** A latched stop as it is stored. */
export type StopRow = typeof emergencyStops.$inferSelect;

/** Who pressed, for everybody in the room. Names of keys and accounts are their owner's; the log has the account. */
const PRESSED_BY = 'over HTTP';
/** The same where the robot has had another owner since. */
const PRESSED_BEFORE = 'somebody under its last owner';

interface Press {
  robotId: string;
  /** Whose robot it is, for the log. */
  accountId: string | null;
  /** For everybody in the room. */
  pressedBy: string;
  reason: string | null;
}

/**
 * Presses the emergency stop of the caller's robot: latches it in the database first, then tells the room and its runtimes side by
 * side. A service that dies in between has latched it, and the next one tells (operations/latched-stops.ts). Presses that come
 * while others are under way are one press, so that no number of them holds the robot's service up.
 */
export async function emergencyStop(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  reason: string | null,
): Promise<EmergencyStopResult> {
  await getRobot(deps.db, caller, robotId);
  return pressRobot(deps, { robotId, accountId: caller.accountId, pressedBy: PRESSED_BY, reason });
}

/** Does so for somebody whose right to it has been checked. */
export function pressRobot(deps: ServiceDeps, order: Press): Promise<EmergencyStopResult> {
  return deps.memory.presses.run(order.robotId, () => pressOnce(deps, order));
}

async function pressOnce(deps: ServiceDeps, order: Press): Promise<EmergencyStopResult> {
  const { robotId, accountId } = order;
  const stop = await latch(deps, order);
  deps.log({ level: 'warn', event: 'emergency_stop', robot_id: robotId, account_id: accountId });
  const session = await findSession(deps.db, robotId);
  const runtimes = session === undefined ? [] : await tell(deps, session, stop);
  return {
    robot_id: robotId,
    emergency_stop: { by: stop.pressedBy, since_ms: stop.since.getTime(), reason: stop.reason },
    stands: runtimes.length === 0 ? null : runtimes.every(({ stands }) => stands),
    runtimes,
  };
}

/** Tells the room, for whoever joins later, and the runtimes that are there. A room that cannot be told now is told later. */
export async function tell(deps: ServiceDeps, session: SessionRow, stop: StopRow): Promise<PressedRuntime[]> {
  const [runtimes] = await Promise.all([pressRuntimes(deps, session, stop), tellRoom(deps, session).catch(() => null)]);
  return runtimes;
}

/** Stores the press. The first one is told of, until it is released; each has an id of its own. */
async function latch({ db, clock, randomBytes }: ServiceDeps, { robotId, pressedBy, reason }: Press): Promise<StopRow> {
  const pressId = newId(clock.nowMs(), randomBytes);
  const [row] = await db
    .insert(emergencyStops)
    .values({ robotId, pressId, pressedBy, reason, since: new Date(clock.nowMs()) })
    .onConflictDoUpdate({ target: emergencyStops.robotId, set: { pressId: sql`excluded.press_id` } })
    .returning();
  if (row === undefined) throw new Error('The emergency stop was not stored.');
  return row;
}

/** Forgets who pressed and why, for the next owner of a robot. The robot stays stopped. */
export async function forgetWhoPressed(tx: Database, robotId: string): Promise<void> {
  await tx.update(emergencyStops).set({ pressedBy: PRESSED_BEFORE, reason: null }).where(eq(emergencyStops.robotId, robotId));
}
