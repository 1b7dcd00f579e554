/** A pause longer than this is not caught up with: the browser had frozen the tab, or the machine slept (promise P13). */
export const GAP_MS = 1_000;

/** Turns the passing of time into steps of the simulation. */
export interface Pacer {
  /**
   * Length of the pause since the last look when it was longer than `GAP_MS`, else 0. What was owed is then forgotten. A thread that is
   * busy looks between its pieces of work: then it owes steps and did not stand still.
   */
  takeGapMs(nowMs: number): number;
  /** How many steps are owed now. `speed` is simulated seconds per second. */
  stepsDue(nowMs: number, speed: number): number;
  /** So many of the owed steps were made. */
  made(steps: number): void;
  /** Time until the next step is owed, 0 when one is owed already. As of the last `stepsDue`. */
  msToNextStep(speed: number): number;
}

/**
 * An accumulator. Steps that cannot be made in time stay owed up to `GAP_MS` of wall time; what goes beyond is dropped, and the
 * simulation runs slower than asked.
 * @param stepS simulated seconds per step
 * @param startMs on the clock that the calls use
 */
export function createPacer(stepS: number, startMs: number): Pacer {
  let lastMs = startMs;
  let lookedMs = startMs;
  // Less than one step when all is well.
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
      // A sum of many small times must not miss a step by its rounding.
      return Math.floor(owedS / stepS + 1e-9);
    },
    made(steps) {
      owedS = Math.max(0, owedS - steps * stepS);
    },
    msToNextStep: (speed) => Math.max(0, ((stepS - owedS) / speed) * 1000),
  };
}
