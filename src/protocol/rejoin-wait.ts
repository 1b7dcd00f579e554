/**
 * Waits before the first, second, … attempt to return to a server that does not answer; the last one repeats. A runtime is
 * promised to be back 5 s after its server: the longest wait and a join must fit into that.
 */
const WAITS_MS = [250, 500, 1_000, 2_000, 2_500] as const;
/** Runtimes that lost a server together must not return at one instant. */
const JITTER_SHARE = 0.2;

/**
 * Returns the wait before an attempt, in milliseconds.
 * @param failures attempts that have failed so far, from 1
 * @param chance from 0 to 1: how much of the jitter is added
 */
export function rejoinWaitMs(failures: number, chance: number): number {
  const waitMs = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0;
  return waitMs * (1 + JITTER_SHARE * chance);
}
