import { ServiceError } from './service-error.ts';

/** How long a safety action waits for the database before it relies on what this instance remembers, milliseconds. */
const PROMPT_MS = 250;
/** How long it waits for the database where the instance remembers nothing, milliseconds. */
const PATIENCE_MS = 2_500;

/** Whether a task ends, well or badly, within this time. */
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
 * Returns the answer of the database, for an action that must not wait for it; if the database fails or is silent, what this instance
 * remembers.
 * @param remembered Returns null for nothing
 * @throws the refusal that the database's answer leads to; the database's failure, or 503, when nothing is remembered
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
