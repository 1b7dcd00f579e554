/**
 * Presses of the emergency stop that are not in the database yet. Robots and rooms are informed in parallel to the write, so a
 * database that cannot write or does not respond never delays a stop. A press stays here until it is stored, or a person has
 * released it at the robot (`latched-stops.ts`). If an instance ends earlier, the robot is already informed and keeps its own
 * latch.
 */
import { and, eq, exists, inArray, type SQL, sql } from 'drizzle-orm';
import { emergencyStops, robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { doRepeated } from '../repeated-work.ts';
import { newIdAfter } from '../secrets.ts';
import type { PressRight, StopRow, UnstoredStop } from './unstored-stop.ts';

/** The presser, if the robot has had another owner since. */
export const PRESSED_BEFORE = 'an account that owned it before';

/** Tries to store a press; `latched-stops.ts` retries failures. One attempt per robot at a time. Never rejects. */
export function tryToStore(deps: ServiceDeps, entry: UnstoredStop): Promise<void> {
  const { robotId } = entry.stop;
  const attempt = () => deps.memory.stopQueues.run(robotId, () => store(deps, entry));
  entry.storing ??= doRepeated(deps, 'unstored_stops', attempt, robotId).finally(() => {
    entry.storing = null;
  });
  return entry.storing;
}

/** Removes a press that is stored or obsolete. A later press of the same robot stays. */
export function forgetUnstored({ memory }: Pick<ServiceDeps, 'memory'>, entry: UnstoredStop): void {
  const { robotId } = entry.stop;
  if (memory.unstored.get(robotId) === entry) memory.unstored.delete(robotId);
}

async function store(deps: ServiceDeps, entry: UnstoredStop): Promise<void> {
  const { robotId, pressId, pressedBy, reason, since } = entry.stop;
  // A later press, or a release, has replaced it while it waited for its turn.
  if (deps.memory.unstored.get(robotId) !== entry) return;
  const { wasTried, isSure } = entry;
  entry.wasTried = true;
  const theirs = isTheirs(deps, entry.right);
  const rowOf = (id: string) =>
    deps.db
      .select({
        robotId: robots.id,
        pressId: sql<string>`${id}::text`.as('press_id'),
        pressedBy: sql<string>`case when ${theirs} then ${pressedBy}::text else ${PRESSED_BEFORE}::text end`.as('pressed_by'),
        reason: sql<string | null>`case when ${theirs} then ${reason}::text end`.as('reason'),
        since: sql<Date>`${since.toISOString()}::timestamptz`.as('since'),
      })
      .from(robots)
      .where(and(eq(robots.id, robotId), isSure ? undefined : theirs));
  const put = async (id: string): Promise<StopRow | undefined> => {
    const latest = sql`greatest(${emergencyStops.pressId}, excluded.press_id)`;
    const [stored] = await deps.db
      .insert(emergencyStops)
      .select(rowOf(id))
      .onConflictDoUpdate({ target: emergencyStops.robotId, set: { pressId: latest } })
      .returning();
    return stored;
  };
  let stored = await put(pressId);
  // Another instance stored a press under a later id, by its clock or because it came later. A release of that press does not
  // release this one.
  if (!wasTried && stored !== undefined && stored.pressId > pressId)
    stored = await put(newIdAfter(stored.pressId, deps.randomBytes));
  if (entry.isReleased) {
    // The release came while the statement was under way. A press that came since has another id.
    const ours = [pressId, ...(stored ? [stored.pressId] : [])];
    await deps.db.delete(emergencyStops).where(and(eq(emergencyStops.robotId, robotId), inArray(emergencyStops.pressId, ours)));
    return;
  }
  // The room has confirmed the right meanwhile: the next attempt stores it.
  if (stored === undefined && entry.isSure !== isSure) return;
  entry.outcome = stored === undefined ? 'refused' : { row: stored };
  forgetUnstored(deps, entry);
}

/** Whether the right exists when the statement runs. */
function isTheirs({ db }: Pick<ServiceDeps, 'db'>, right: PressRight): SQL {
  if ('accountId' in right) return sql`coalesce(${eq(robots.ownerId, right.accountId)}, false)`;
  const open = and(eq(sessions.robotId, robots.id), eq(sessions.roomName, right.room), eq(sessions.phase, 'open'));
  return exists(db.select({ one: sql`1` }).from(sessions).where(open));
}
