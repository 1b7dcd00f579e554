import { STEPS_PER_SECOND } from '../protocol/wire/limits.ts';

/**
 * A true clock that differs from the run's by less than this is let differ: so a proof needs no time for each step. It is more than the
 * pause after which a host still makes up for the steps that it owes (`GAP_MS` of runtime/host/pacing.ts).
 */
const TOLERATED_MS = 1_100;
const STEP_MS = 1000 / STEPS_PER_SECOND;

/**
 * The clock that a recorded runtime is given. A step takes as long as it should; only where the true clock is off by more than a bound
 * is this one set. It begins at 0 and never goes back, so a run depends on no date and re-simulates to the bit.
 */
export interface RunClock {
  /** Milliseconds since the start of the run. */
  readonly ms: number;
  /** Sets it to a later moment. */
  set(ms: number): void;
  /** A step begins. @param speed simulated seconds per second */
  step(speed: number): void;
  /**
   * Returns the moment that the clock has to be set to for an input at this true moment, or null when it is near enough.
   * @param trueMs since the start of the run
   */
  correction(trueMs: number): number | null;
  /** The same before a step. @param speed simulated seconds per second */
  correctionBeforeStep(trueMs: number, speed: number): number | null;
}

export function createRunClock(): RunClock {
  let ms = 0;
  /** The real clock is permanently behind by this much: a driver that steps faster than it reports. */
  let aheadMs = 0;
  const correction = (wantedMs: number): number | null => {
    const offMs = wantedMs + aheadMs - ms;
    if (Math.abs(offMs) <= TOLERATED_MS) return null;
    if (offMs > 0) return Math.floor(wantedMs + aheadMs);
    aheadMs = ms - wantedMs;
    return null;
  };
  return {
    get ms() {
      return ms;
    },
    set(to) {
      ms = Math.max(ms, to);
    },
    step(speed) {
      ms += STEP_MS / speed;
    },
    correction,
    correctionBeforeStep: (trueMs, speed) => correction(trueMs - STEP_MS / speed),
  };
}
