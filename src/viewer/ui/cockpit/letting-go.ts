import type { ControlState } from '../../../protocol/wire/state.ts';

/**
 * The state of releasing the robot. The robot keeps a velocity for ever, so a release ends only when the robot confirms it twice:
 * in the reply to a zero velocity, and in a state from after it. Until then, the zero velocity is sent again. Plain data.
 */
export interface LettingGo {
  /** Time of the first zero velocity, milliseconds since the epoch. */
  sinceEpochMs: number;
  /** Time of the last zero velocity, milliseconds of the page's clock. */
  sentAtMs: number;
  tries: number;
  /** States count from this time on, milliseconds since the epoch; null before the first reply. */
  countsFromEpochMs: number | null;
}

const AGAIN_AFTER_MS = 250;
/** From this attempt on, the page's own stop is pressed too, because no gate can block it. */
const PAGE_STOP_FROM_TRY = 4;

/** The robot's reported state, and when it was taken. */
export interface StateSeen {
  control: ControlState;
  wallTimeMs: number;
}

export const beginLettingGo = (nowMs: number, epochMs: number): LettingGo => ({
  sinceEpochMs: epochMs,
  sentAtMs: nowMs,
  tries: 1,
  countsFromEpochMs: null,
});

/**
 * Notes the reply to a zero velocity. @param fromEpochMs when the body received it; for a rejection, when the reply arrived: the
 * state then decides alone
 */
export const withReply = (going: LettingGo, fromEpochMs: number): LettingGo => ({
  ...going,
  countsFromEpochMs: going.countsFromEpochMs ?? fromEpochMs,
});

export const withAnotherTry = (going: LettingGo, nowMs: number): LettingGo => ({
  ...going,
  sentAtMs: nowMs,
  tries: going.tries + 1,
});

/** Returns whether the robot keeps no velocity and has no open trajectory session. */
export const isLetGo = ({ countsFromEpochMs }: LettingGo, seen: StateSeen | null): boolean =>
  seen !== null &&
  countsFromEpochMs !== null &&
  seen.wallTimeMs >= countsFromEpochMs &&
  !seen.control.velocity_holds &&
  seen.control.upper_body.packet_age_ms === null;

export type LetGoStep = 'wait' | 'send-again' | 'send-again-and-stop';

export function letGoStep({ sentAtMs, tries }: LettingGo, nowMs: number): LetGoStep {
  if (nowMs - sentAtMs < AGAIN_AFTER_MS) return 'wait';
  return tries + 1 >= PAGE_STOP_FROM_TRY ? 'send-again-and-stop' : 'send-again';
}
