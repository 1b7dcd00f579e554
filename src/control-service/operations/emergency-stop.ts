import { sql } from 'drizzle-orm';
import type { EmergencyStopResult } from '../../protocol/emergency-stop.ts';
import type { Caller } from '../accounts.ts';
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

/** The presses of one robot in this instance: one under way, and at most one more for all that come meanwhile. */
interface Presses {
  running: Promise<EmergencyStopResult>;
  next: Promise<EmergencyStopResult> | null;
}

const pressesOf = new WeakMap<ServiceDeps, Map<string, Presses>>();

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
  const all = pressesOf.get(deps) ?? new Map<string, Presses>();
  pressesOf.set(deps, all);
  const press = (): Promise<EmergencyStopResult> => pressOnce(deps, caller, robotId, reason);
  const under = all.get(robotId);
  if (under === undefined) {
    const presses: Presses = { running: press(), next: null };
    all.set(robotId, presses);
    void settle(all, robotId, presses);
    return presses.running;
  }
  under.next ??= under.running.then(press, press);
  return under.next;
}

/** Forgets the presses of a robot when the last one is over. */
async function settle(all: Map<string, Presses>, robotId: string, presses: Presses): Promise<void> {
  for (;;) {
    await presses.running.catch(() => {});
    if (presses.next === null) break;
    presses.running = presses.next;
    presses.next = null;
  }
  all.delete(robotId);
}

async function pressOnce(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  reason: string | null,
): Promise<EmergencyStopResult> {
  const stop = await latch(deps, robotId, reason);
  deps.log({ level: 'warn', event: 'emergency_stop', robot_id: robotId, account_id: caller.accountId });
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
async function latch({ db, clock, randomBytes }: ServiceDeps, robotId: string, reason: string | null): Promise<StopRow> {
  const pressId = newId(clock.nowMs(), randomBytes);
  const [row] = await db
    .insert(emergencyStops)
    .values({ robotId, pressId, pressedBy: PRESSED_BY, reason, since: new Date(clock.nowMs()) })
    .onConflictDoUpdate({ target: emergencyStops.robotId, set: { pressId: sql`excluded.press_id` } })
    .returning();
  if (row === undefined) throw new Error('The emergency stop was not stored.');
  return row;
}
