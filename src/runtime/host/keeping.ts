/** When a world is to be kept: now and then, and soon after an action has ended. */
export interface Keeping {
  /** Something has happened that must not be lost. */
  soon(): void;
  isDue(): boolean;
  /** It has been kept. */
  kept(): void;
}

/** At most a second may be missing after a reload, the writing included. */
const EVERY_MS = 500;
/** A client may call hundreds of times a second. */
const SOONEST_MS = 100;

/** @param nowMs a clock that never goes back */
export function createKeeping(nowMs: () => number): Keeping {
  let keptAtMs = Number.NEGATIVE_INFINITY;
  let isSoon = false;
  return {
    soon() {
      isSoon = true;
    },
    isDue: () => nowMs() - keptAtMs >= (isSoon ? SOONEST_MS : EVERY_MS),
    kept() {
      keptAtMs = nowMs();
      isSoon = false;
    },
  };
}
