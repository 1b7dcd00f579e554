import { setTimeout as settleAfter } from 'node:timers/promises';

/** Waits, or less if the signal says so. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await settleAfter(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}

/** Acts after a while. @returns what gives the wait up */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/** What the promise brings, or null when it takes longer than this. @throws what the promise throws in time */
export async function atMost<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, pause(ms, done.signal).then(() => null)]);
  } finally {
    done.abort();
  }
}

/** The wait before an attempt, with up to a fifth on top, so that those who lost a server together do not come back at one instant. */
export function backOffMs(failures: number): number {
  const waits = [250, 500, 1_000, 2_000, 4_000, 5_000];
  const waitMs = waits[Math.min(failures, waits.length) - 1] ?? 0;
  return waitMs * (1 + 0.2 * Math.random());
}
