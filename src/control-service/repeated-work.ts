import { errorFacts } from '../protocol/error-facts.ts';
import { isDatabaseDown } from './db/postgres-server.ts';
import type { ServiceDeps } from './deps.ts';
import { SfuError } from './sfu-error.ts';

export type RepeatedDeps = Pick<ServiceDeps, 'log' | 'memory'>;

/** Work that is done again and again, by its name in the log. */
export type RepeatedWork = 'latched_stops' | 'owner_orders' | 'living_orders' | 'ended_orders' | 'idle_sessions' | 'key_watch';

/**
 * Does work that is done again in any case. Never rejects. Its first failure is logged, and its first success after that; the
 * failures between leave no trace, for there may be one a second.
 * @param robotId The robot that this part of the work is for. @default all of it
 */
export async function doRepeated(
  deps: RepeatedDeps,
  work: RepeatedWork,
  run: () => Promise<void>,
  robotId?: string,
): Promise<void> {
  const { failing } = deps.memory;
  const key = keyOf(work, robotId);
  try {
    await run();
  } catch (error) {
    if (failing.has(key)) return;
    failing.add(key);
    // Others log what is wrong with their server; a fault of the service is logged here alone.
    const level = error instanceof SfuError || isDatabaseDown(error) ? 'warn' : 'error';
    deps.log({ level, event: 'repeated_work_failed', work, robot_id: robotId, ...errorFacts(error) });
    return;
  }
  if (failing.delete(key)) deps.log({ level: 'info', event: 'repeated_work_recovered', work, robot_id: robotId });
}

/** Does such work for the robot of each row, side by side: one that fails holds up no other. */
export async function doRepeatedForEach<Row>(
  deps: RepeatedDeps,
  work: RepeatedWork,
  rows: readonly Row[],
  robotIdOf: (row: Row) => string,
  run: (row: Row) => Promise<void>,
): Promise<void> {
  const { failing } = deps.memory;
  const kept = new Set(rows.map((row) => keyOf(work, robotIdOf(row))));
  // There is nothing more to do for these, so they do not recover either.
  for (const key of failing) if (key.startsWith(keyOf(work, '')) && !kept.has(key)) failing.delete(key);
  await Promise.all(rows.map((row) => doRepeated(deps, work, () => run(row), robotIdOf(row))));
}

const keyOf = (work: RepeatedWork, robotId?: string): string => (robotId === undefined ? work : `${work} ${robotId}`);
