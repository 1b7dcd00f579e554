import { ServiceError } from './service-error.ts';

/** How long a safety action waits for the database before it relies on this instance's memory, in milliseconds. */
const PROMPT_MS = 250;
/** How long it waits for the database if this instance remembers nothing, in milliseconds. */
const PATIENCE_MS = 2_500;

/** Whether a task settles within this time. */
export async function endsWithin(ms: number, task: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = task.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

/**
 * Returns the answer of the database, for an action that must not wait long for it. If the database fails or does not respond,
 * returns what this instance remembers.
 * @param remembered Returns null if nothing is remembered
 * @throws the error to which the database's answer leads; if nothing is remembered, the database's failure, or 503
 */
export async function promptly<T>(asking: Promise<T>, remembered: () => T | null): Promise<T> {
  if (await endsWithin(PROMPT_MS, asking)) {
    try {
      return await asking;
    } catch (error) {
      const known = error instanceof ServiceError ? null : remembered();
      if (known === null) throw error;
      return known;
    }
  }
  const known = remembered();
  if (known !== null) return known;
  if (await endsWithin(PATIENCE_MS - PROMPT_MS, asking)) return asking;
  throw ServiceError.databaseUnavailable();
}
