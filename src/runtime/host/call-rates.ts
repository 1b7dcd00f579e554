import { CALLS_AT_ONCE_MAX, CALLS_PER_SECOND_MAX } from '../../protocol/limits.ts';

const PER_CALL_MS = 1_000 / CALLS_PER_SECOND_MAX;
/** So much may one be ahead of its pace. */
const AHEAD_MAX_MS = CALLS_AT_ONCE_MAX * PER_CALL_MS;
/** More participants than a room has; who has been silent is forgotten. */
const REMEMBERED_MAX = 256;

/** How fast each participant calls. */
export interface CallRates {
  /**
   * Counts a call of this participant.
   * @param nowMs never going back
   * @returns 0, or in how many milliseconds there is room for it; then it does not count
   */
  admit(identity: string, nowMs: number): number;
}

/** Each participant has a pace of its own: what one sends costs nobody else a call. */
export function createCallRates(): CallRates {
  /** By participant: when all that it has sent so far would be due at the allowed pace. */
  const paidUntilMs = new Map<string, number>();

  function forgetSilent(nowMs: number): void {
    for (const [identity, untilMs] of paidUntilMs) if (untilMs <= nowMs) paidUntilMs.delete(identity);
  }

  return {
    admit(identity, nowMs) {
      const untilMs = Math.max(nowMs, paidUntilMs.get(identity) ?? nowMs) + PER_CALL_MS;
      const tooEarlyMs = untilMs - nowMs - AHEAD_MAX_MS;
      // A sum of many small times must not cost a call by its rounding.
      if (tooEarlyMs > 1e-6) return Math.max(1, Math.ceil(tooEarlyMs));
      if (paidUntilMs.size >= REMEMBERED_MAX) forgetSilent(nowMs);
      paidUntilMs.set(identity, untilMs);
      return 0;
    },
  };
}
