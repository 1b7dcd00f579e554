import { errorFacts } from '../protocol/error-facts.ts';
import { isDatabaseDown } from './db/postgres-server.ts';
import type { ServiceDeps } from './deps.ts';
import { SfuError } from './sfu-error.ts';

export type RepeatedDeps = Pick<ServiceDeps, 'log' | 'memory'>;

/** Work that is done again and again, by its name in the log. */
export type RepeatedWork =
  | 'latched_stops'
  | 'unstored_stops'
  | 'unstored_tells'
  | 'owner_orders'
  | 'living_orders'
  | 'ended_orders'
  | 'idle_sessions'
  | 'key_watch'
  | 'closed_links';

/**
 * Does work that is done again in any case. Never rejects. Its first failure is logged, and its first success after that; the
 * failures between leave no trace, for there may be one a second.
 * @param robotId The robot that this part of the work is for; null for all of it.
 */
export async function doRepeated(
  deps: RepeatedDeps,
  work: RepeatedWork,
  run: () => Promise<void>,
  robotId: string | null = null,
): Promise<void> {
  const failing = failingOf(deps, work);
  try {
    await run();
  } catch (error) {
    if (failing.has(robotId)) return;
    failing.add(robotId);
    // Others log what is wrong with their server; a fault of the service is logged here alone.
    const level = error instanceof SfuError || isDatabaseDown(error) ? 'warn' : 'error';
    deps.log({ level, event: 'repeated_work_failed', work, ...ofRobot(robotId), ...errorFacts(error) });
    return;
  }
  if (failing.delete(robotId)) deps.log({ level: 'info', event: 'repeated_work_recovered', work, ...ofRobot(robotId) });
}

/** Does such work for the robot of each row, side by side: one that fails holds up no other. */
export async function doRepeatedForEach<Row>(
  deps: RepeatedDeps,
  work: RepeatedWork,
  rows: readonly Row[],
  robotIdOf: (row: Row) => string,
  run: (row: Row) => Promise<void>,
): Promise<void> {
  const failing = failingOf(deps, work);
  const kept = new Set(rows.map(robotIdOf));
  // There is nothing more to do for these, so they do not recover either.
  for (const robotId of failing) if (robotId !== null && !kept.has(robotId)) failing.delete(robotId);
  await Promise.all(rows.map((row) => doRepeated(deps, work, () => run(row), robotIdOf(row))));
}

function failingOf({ memory }: RepeatedDeps, work: RepeatedWork): Set<string | null> {
  const failing = memory.failing.get(work) ?? new Set();
  memory.failing.set(work, failing);
  return failing;
}

const ofRobot = (robotId: string | null): { robot_id?: string } => (robotId === null ? {} : { robot_id: robotId });
