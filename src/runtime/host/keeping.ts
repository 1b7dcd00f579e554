/** Decides when a world is kept: at intervals, and soon after an action has ended. */
export interface Keeping {
  /** Asks for a world to be kept soon: something has happened that must not be lost. */
  soon(): void;
  isDue(): boolean;
  /** Records that the world has been kept. */
  kept(): void;
}

/** At most one second may be missing after a reload, including the time for writing. */
const EVERY_MS = 500;
/** Shortest interval: a client may call hundreds of times a second. */
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
