import type { ControlState } from '../../../protocol/state.ts';

/**
 * The worker keeps a velocity for ever, so letting go is over when the robot says so twice: in the reply to a zero velocity, and in a state
 * from after it. Until then the zero velocity is sent again. Plain data.
 */
export interface LettingGo {
  /** Of the first zero velocity, milliseconds since the epoch. */
  sinceEpochMs: number;
  /** Of the last one, milliseconds of the page's clock. */
  sentAtMs: number;
  tries: number;
  /** From when on a state counts, milliseconds since the epoch; null before the first reply. */
  countsFromEpochMs: number | null;
}

const AGAIN_AFTER_MS = 250;
/** From then on the page's own stop is pressed too: no gate stands before it. */
const PAGE_STOP_FROM_TRY = 4;

/** What the state says of the robot, and when it was taken. */
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

/** A zero velocity was answered. @param fromEpochMs when the body had it; of a refusal, when it came: the state decides alone then */
export const withReply = (going: LettingGo, fromEpochMs: number): LettingGo => ({
  ...going,
  countsFromEpochMs: going.countsFromEpochMs ?? fromEpochMs,
});

export const withAnotherTry = (going: LettingGo, nowMs: number): LettingGo => ({
  ...going,
  sentAtMs: nowMs,
  tries: going.tries + 1,
});

/** No velocity holds, and no trajectory session is open. */
export const isLetGo = ({ countsFromEpochMs }: LettingGo, seen: StateSeen | null): boolean =>
  seen !== null &&
  countsFromEpochMs !== null &&
  seen.wallTimeMs >= countsFromEpochMs &&
  !seen.control.velocity_holds &&
  seen.control.upper_body.packet_age_ms === null;

export type LetGoDeed = 'wait' | 'send again' | 'send again and stop';

export function letGoDeed({ sentAtMs, tries }: LettingGo, nowMs: number): LetGoDeed {
  if (nowMs - sentAtMs < AGAIN_AFTER_MS) return 'wait';
  return tries + 1 >= PAGE_STOP_FROM_TRY ? 'send again and stop' : 'send again';
}
