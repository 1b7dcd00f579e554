import { doRepeated, type RepeatedDeps, type RepeatedWork } from '../repeated-work.ts';

/** Does a task at intervals until it is stopped, one at a time; what fails is logged once, and done another time. @returns a function that stops it, and waits for the last one */
export function regularly(
  deps: RepeatedDeps,
  work: RepeatedWork,
  everyMs: number,
  task: () => Promise<void>,
): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    // A task that takes long is the only one.
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
