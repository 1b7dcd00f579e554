/**
 * Waits before the first, second, … attempt to return to a server that does not answer; the last one repeats. A runtime is
 * promised to be back 5 s after its server: the longest wait and a join must fit into that.
 */
const WAITS_MS = [250, 500, 1_000, 2_000, 2_500] as const;
/** A restarted server knows no room until the platform creates its rooms again, which takes about a second. */
const ROOM_BACK_WITHIN_MS = 10_000;
/** Runtimes that lost a server together must not return at the same instant. */
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

/**
 * Creates the check whether a missing room may come back: yes for 10 s from the first check. Create one for each return to a
 * room.
 * @param nowMs a clock, in milliseconds
 */
export function createRoomPatience(nowMs: () => number): () => boolean {
  let missedSinceMs: number | null = null;
  return () => {
    missedSinceMs ??= nowMs();
    return nowMs() - missedSinceMs <= ROOM_BACK_WITHIN_MS;
  };
}
