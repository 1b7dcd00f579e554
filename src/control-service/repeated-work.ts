import { errorFacts } from '../common/error-facts.ts';
import { isDatabaseDown } from './db/postgres-server.ts';
import type { ServiceDeps } from './deps.ts';
import { SfuError } from './sfu-error.ts';

export type RepeatedDeps = Pick<ServiceDeps, 'log' | 'memory'>;

/** Recurring work, by its name in the log. */
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
 * Runs work that recurs. Never rejects. Logs its first failure, and its first success after that. The failures in between are not
 * logged, because there may be one per second.
 * @param robotId The robot to which this part of the work belongs; null for all of it.
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
    // Other errors are logged by the module of their server. A fault of the service is logged only here.
    const level = error instanceof SfuError || isDatabaseDown(error) ? 'warn' : 'error';
    deps.log({ level, event: 'repeated_work_failed', work, ...ofRobot(robotId), ...errorFacts(error) });
    return;
  }
  if (failing.delete(robotId)) deps.log({ level: 'info', event: 'repeated_work_recovered', work, ...ofRobot(robotId) });
}

/** Runs such work for the robot of each row in parallel, so that a failure does not delay the others. */
export async function doRepeatedForEach<Row>(
  deps: RepeatedDeps,
  work: RepeatedWork,
  rows: readonly Row[],
  robotIdOf: (row: Row) => string,
  run: (row: Row) => Promise<void>,
): Promise<void> {
  const failing = failingOf(deps, work);
  const kept = new Set(rows.map(robotIdOf));
  // There is no work left for these robots, so they do not log a recovery either.
  for (const robotId of failing) if (robotId !== null && !kept.has(robotId)) failing.delete(robotId);
  await Promise.all(rows.map((row) => doRepeated(deps, work, () => run(row), robotIdOf(row))));
}

function failingOf({ memory }: RepeatedDeps, work: RepeatedWork): Set<string | null> {
  const failing = memory.failing.get(work) ?? new Set();
  memory.failing.set(work, failing);
  return failing;
}

const ofRobot = (robotId: string | null): { robot_id?: string } => (robotId === null ? {} : { robot_id: robotId });
