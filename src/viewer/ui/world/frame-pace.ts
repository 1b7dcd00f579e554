/** Least time between two frames, milliseconds. */
const SOFTWARE_GAP_MS = 80;
const SOFTWARE_LOADING_GAP_MS = 500;
const LONGEST_GAP_MS = 600;
/** A frame that the processor draws may take this share of its time; the rest is for the simulation and the robot's cameras. */
const DRAWING_SHARE = 1 / 3;

/** When the next frame is due, so that a picture drawn by the processor never starves what it is a picture of. */
export interface FramePace {
  /**
   * Is a frame due? Without a change none ever is.
   * @param nowMs time of the page's frame callback
   * @param changed the world or the view is different from what was drawn
   */
  due(nowMs: number, changed: boolean): boolean;
  /** What the frame before the last call of `due` cost, when that call learned it; else null. */
  learnedMs(): number | null;
}

/** @param loading asked at every frame: while the robot loads, the picture waits more than it draws */
export function createFramePace(software: boolean, loading: () => boolean): FramePace {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let costMs = 0;
  let measuring = false;
  let learnedMs: number | null = null;

  const gapMs = () => {
    if (!software) return 0;
    if (loading()) return SOFTWARE_LOADING_GAP_MS;
    return Math.min(LONGEST_GAP_MS, Math.max(SOFTWARE_GAP_MS, costMs / DRAWING_SHARE));
  };

  return {
    learnedMs: () => learnedMs,
    due(nowMs, changed) {
      const sinceMs = nowMs - drawnAtMs;
      // The browser holds the next callback back until the frame before is drawn: that delay is what the frame cost.
      if (measuring) costMs = sinceMs;
      learnedMs = measuring ? sinceMs : null;
      measuring = false;
      if (!changed || sinceMs < gapMs()) return false;
      drawnAtMs = nowMs;
      measuring = true;
      return true;
    },
  };
}
