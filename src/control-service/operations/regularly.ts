import { doRepeated, type RepeatedDeps, type RepeatedWork } from '../repeated-work.ts';

/**
 * Runs a task at intervals until it is stopped, one run at a time. Failures are logged once, and the task is retried at the next
 * interval.
 * @returns a function that stops it, and waits for the last run
 */
export function regularly(
  deps: RepeatedDeps,
  work: RepeatedWork,
  everyMs: number,
  task: () => Promise<void>,
): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    // A slow task is never run twice at the same time.
    if (isStopped || running !== null) return;
    running = doRepeated(deps, work, task).finally(() => {
      running = null;
    });
  }, everyMs).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
}
