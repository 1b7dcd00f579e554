import { CALLS_AT_ONCE_MAX, CALLS_PER_SECOND_MAX } from '../../protocol/wire/limits.ts';

const PER_CALL_MS = 1_000 / CALLS_PER_SECOND_MAX;
/** How far a participant may be ahead of its pace. */
const AHEAD_MAX_MS = CALLS_AT_ONCE_MAX * PER_CALL_MS;
/** More participants than a room has; silent ones are forgotten. */
const REMEMBERED_MAX = 256;

/** The call rates of the participants. */
export interface CallRates {
  /**
   * Counts a call of this participant.
   * @param nowMs never going back
   * @returns 0, or the milliseconds until there is room for it; the call is not counted then
   */
  admit(identity: string, nowMs: number): number;
}

/** Creates the rates. Each participant has a pace of its own: one participant's calls cost no other participant a call. */
export function createCallRates(): CallRates {
  /** By participant: the moment at which all its calls so far are due at the allowed pace. */
  const paidUntilMs = new Map<string, number>();

  function forgetSilent(nowMs: number): void {
    for (const [identity, untilMs] of paidUntilMs) if (untilMs <= nowMs) paidUntilMs.delete(identity);
  }

  return {
    admit(identity, nowMs) {
      const untilMs = Math.max(nowMs, paidUntilMs.get(identity) ?? nowMs) + PER_CALL_MS;
      const tooEarlyMs = untilMs - nowMs - AHEAD_MAX_MS;
      // The rounding of a sum of many short times must not cost a call.
      if (tooEarlyMs > 1e-6) return Math.max(1, Math.ceil(tooEarlyMs));
      if (paidUntilMs.size >= REMEMBERED_MAX) forgetSilent(nowMs);
      paidUntilMs.set(identity, untilMs);
      return 0;
    },
  };
}
