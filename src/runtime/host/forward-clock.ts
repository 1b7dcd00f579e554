/** The two clocks of a machine, milliseconds. */
export interface Clocks {
  /** Milliseconds since the epoch; people and time servers set it forwards and back. */
  wallMs(): number;
  /** Milliseconds from any origin; never set. */
  monotonicMs(): number;
}

/**
 * Returns a clock since the epoch that always advances. It follows the wall clock; after the wall clock is set back, it follows
 * the monotonic clock until the wall clock has caught up. Deadlines and watchdogs use it, so that they do not wait when the clock
 * is set back.
 * @param pace how fast time passes while the wall clock is behind; below 1 the wall clock catches up
 * @returns a function that reads it: whole milliseconds since the epoch
 */
export function createForwardClock({ wallMs, monotonicMs }: Clocks, pace = 1): () => number {
  let ms = wallMs();
  let readAtMs = monotonicMs();
  return () => {
    const nowMs = monotonicMs();
    ms = Math.max(wallMs(), ms + Math.max(0, nowMs - readAtMs) * pace);
    readAtMs = nowMs;
    return Math.round(ms);
  };
}
