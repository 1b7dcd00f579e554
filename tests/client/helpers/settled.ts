import { vi } from 'vitest';

/** Returns the outcome of a promise after the fake clock has run through every timer. */
export async function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await vi.runAllTimersAsync();
  return promise;
}
