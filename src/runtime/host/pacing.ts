/** After a longer pause the simulation does not catch up: the browser had frozen the tab, or the machine slept (promise P13). */
export const GAP_MS = 1_000;

/** Converts elapsed time into steps of the simulation. */
export interface Pacer {
  /**
   * Returns the length of the pause since the last look if it is longer than `GAP_MS`, otherwise 0. The steps owed are then
   * forgotten. A thread that is busy looks between its pieces of work: it owes steps then and did not stand still.
   */
  takeGapMs(nowMs: number): number;
  /** Returns how many steps are owed now. `speed` is simulated seconds per second. */
  stepsDue(nowMs: number, speed: number): number;
  /** Records that this many owed steps were made. */
  made(steps: number): void;
  /** Returns the time until the next step is owed, 0 when one is owed already, as of the last `stepsDue`. */
  msToNextStep(speed: number): number;
}

/**
 * Creates an accumulator. Steps that cannot be made in time stay owed up to `GAP_MS` of wall time; more than that is dropped, and
 * the simulation runs slower than requested.
 * @param stepS simulated seconds per step
 * @param startMs on the clock that the calls use
 */
export function createPacer(stepS: number, startMs: number): Pacer {
  let lastMs = startMs;
  let lookedMs = startMs;
  // Less than one step in normal operation.
  let owedS = 0;

  return {
    takeGapMs(nowMs) {
      const passedMs = nowMs - lookedMs;
      lookedMs = nowMs;
      if (passedMs <= GAP_MS) return 0;
      lastMs = nowMs;
      owedS = 0;
      return passedMs;
    },
    stepsDue(nowMs, speed) {
      owedS = Math.min(owedS + (Math.max(0, nowMs - lastMs) / 1000) * speed, (GAP_MS / 1000) * speed + stepS);
      lastMs = nowMs;
      lookedMs = nowMs;
      // The rounding of a sum of many short times must not lose a step.
      return Math.floor(owedS / stepS + 1e-9);
    },
    made(steps) {
      owedS = Math.max(0, owedS - steps * stepS);
    },
    msToNextStep: (speed) => Math.max(0, ((stepS - owedS) / speed) * 1000),
  };
}
