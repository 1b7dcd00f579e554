/** The two clocks of a machine, milliseconds. */
export interface Clocks {
  /** Milliseconds since the epoch; people and time servers set it forwards and back. */
  wallMs(): number;
  /** Milliseconds from any origin; never set. */
  monotonicMs(): number;
}

/**
 * Returns a clock since the epoch that never stands still: the wall clock, and after the wall clock is set back the monotonic one
 * until the wall clock has passed it again. Deadlines and watchdogs use it, and must not wait when somebody sets the clock back
 * by a minute.
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
