/** The two clocks of a machine. */
export interface Clock {
  /** Milliseconds since the epoch. The clock may be set, also back. */
  nowMs(): number;
  /** Milliseconds on a monotonic clock, for durations. */
  monotonicMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
