/** The two clocks of a machine. */
export interface Clock {
  /** Milliseconds since the epoch. Somebody may set the clock, also back. */
  nowMs(): number;
  /** Milliseconds on an even clock that nobody sets: for durations. */
  monotonicMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
