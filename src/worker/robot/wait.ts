import { setTimeout as settleAfter } from 'node:timers/promises';

/** Waits, or shorter if the signal is aborted. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await settleAfter(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}

/** Acts after a delay. @returns a function that cancels the delay */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/** Settles like the promise, or with null if it takes longer than this. @throws the promise's error in time */
export async function atMost<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, pause(ms, done.signal).then(() => null)]);
  } finally {
    done.abort();
  }
}
