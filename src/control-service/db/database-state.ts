import { sql } from 'drizzle-orm';
import { endsWithin } from '../promptly.ts';
import type { Database, DatabaseState } from './database.ts';
import { writeProbes } from './schema.ts';

/** How long a successful write counts as proof, in milliseconds. */
const WRITTEN_COUNTS_MS = 5_000;
/** How long to wait for a write, and then for a read, in milliseconds. */
const WRITES_WITHIN_MS = 2_000;
const READS_WITHIN_MS = 1_000;

/**
 * Returns a function that checks whether a database accepts writes. It stores a row and removes it, at most once in 5 s. The
 * table is empty before and after, so the write needs disk space and the database does not grow. Instances that check at the same
 * time do not wait for each other. The function settles within 3 s and never rejects. A query that hangs is not sent a second
 * time.
 * @param nowMs A monotonic clock
 */
export function stateOf(db: Database, nowMs: () => number = () => performance.now()): () => Promise<DatabaseState> {
  let writtenMs = Number.NEGATIVE_INFINITY;
  const write = onceAtATime(async () => {
    await db.insert(writeProbes).values({ at: new Date() });
    await db.delete(writeProbes);
    await db.execute(sql`vacuum (truncate, skip_locked) ${writeProbes}`);
    writtenMs = nowMs();
  });
  const read = onceAtATime(async () => void (await db.execute(sql`select 1`)));
  return async () => {
    if (nowMs() - writtenMs < WRITTEN_COUNTS_MS) return (await succeeds(READS_WITHIN_MS, read())) ? 'up' : 'down';
    if (await succeeds(WRITES_WITHIN_MS, write())) return 'up';
    return (await succeeds(READS_WITHIN_MS, read())) ? 'read_only' : 'down';
  };
}

/** Returns a task that callers join, rather than start again, while it runs. */
function onceAtATime(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= task().finally(() => {
      running = null;
    });
    return running;
  };
}

async function succeeds(ms: number, task: Promise<void>): Promise<boolean> {
  if (!(await endsWithin(ms, task))) return false;
  return task.then(
    () => true,
    () => false,
  );
}
