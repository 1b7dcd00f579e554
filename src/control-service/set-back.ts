/** The clocks of two instances, or one clock before and after it was set right by a little, differ by less. */
const CLOCKS_APART_MS = 60_000;

/** The latest time to come that is believed, of times that are stored at most `aheadMs` before they come. Later ones are from before the clock was set back. */
export const latestTrue = (nowMs: number, aheadMs: number): number => nowMs + aheadMs + CLOCKS_APART_MS;

/** A stored time; where it is from before the clock was set back, the latest that could be stored now: it does not hold for as long as the clock was ahead. */
export const notBeyond = (storedMs: number, nowMs: number, aheadMs: number): number =>
  storedMs > latestTrue(nowMs, aheadMs) ? nowMs + aheadMs : storedMs;
