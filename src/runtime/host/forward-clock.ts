/** The two clocks of a machine, milliseconds. */
export interface Clocks {
  /** Since the epoch; people and time servers set it, forwards and back. */
  wallMs(): number;
  /** Of any origin; never set. */
  monotonicMs(): number;
}

/**
 * The time since the epoch as something that never stands still: the wall clock, and from where it was set back the monotonic one, until
 * the wall clock is past it again. Deadlines and watchdogs go by it, and must not wait for a clock that somebody has set back by a minute.
 * @param pace how fast time goes on while the wall clock is behind; below 1 the wall clock catches up
 * @returns a reading, whole milliseconds since the epoch
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
