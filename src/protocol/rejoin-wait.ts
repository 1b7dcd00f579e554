/**
 * Waits before the first, second, … attempt to come back to a server that does not answer; the last one repeats. A runtime is promised to
 * be back 5 s after its server is: the longest wait and a join must fit into that.
 */
const WAITS_MS = [250, 500, 1_000, 2_000, 2_500] as const;
/** Those who lost a server together must not come back at one instant. */
const JITTER_SHARE = 0.2;

/**
 * The wait before an attempt, in milliseconds.
 * @param failures attempts that have failed so far, from 1
 * @param chance from 0 to 1: how much of the jitter is put on top
 */
export function rejoinWaitMs(failures: number, chance: number): number {
  const waitMs = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0;
  return waitMs * (1 + JITTER_SHARE * chance);
}
