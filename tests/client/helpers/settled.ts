import { vi } from 'vitest';

/** What the promise settles with when the fake clock has run through every timer. */
export async function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await vi.runAllTimersAsync();
  return promise;
}
