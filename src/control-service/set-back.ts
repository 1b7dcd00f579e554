/** The clocks of two instances, or one clock before and after a small correction, differ by less than this. */
const CLOCKS_APART_MS = 60_000;

/**
 * Returns the latest plausible future time, for times that are stored at most `aheadMs` in advance. Later times were stored
 * before the clock was set back.
 */
export const latestTrue = (nowMs: number, aheadMs: number): number => nowMs + aheadMs + CLOCKS_APART_MS;

/**
 * Returns a stored time. A time from before the clock was set back becomes the latest that could be stored now. Otherwise it
 * would stay valid for as long as the clock was ahead.
 */
export const notBeyond = (storedMs: number, nowMs: number, aheadMs: number): number =>
  storedMs > latestTrue(nowMs, aheadMs) ? nowMs + aheadMs : storedMs;
