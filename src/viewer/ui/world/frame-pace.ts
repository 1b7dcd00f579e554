/** Least time between two frames, milliseconds. */
const SOFTWARE_GAP_MS = 80;
const SOFTWARE_LOADING_GAP_MS = 500;
const LONGEST_GAP_MS = 600;
/** A frame that the processor draws may take this share of its time; the rest is for the simulation and the robot's cameras. */
const DRAWING_SHARE = 1 / 3;

/** When the next frame is due, so that a picture drawn by the processor never starves what it is a picture of. */
export interface FramePace {
  /**
   * Is a frame due? Without a change none ever is. One that is due counts as begun.
   * @param nowMs time of the page's frame callback
   * @param changed the world or the view is different from what was drawn
   */
  due(nowMs: number, changed: boolean): boolean;
  /** What the last frame cost. */
  drew(costMs: number): void;
}

/** @param loading asked at every frame: while the robot loads, the picture waits more than it draws */
export function createFramePace(software: boolean, loading: () => boolean): FramePace {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let costMs = 0;

  const gapMs = () => {
    if (!software) return 0;
    if (loading()) return SOFTWARE_LOADING_GAP_MS;
    return Math.min(LONGEST_GAP_MS, Math.max(SOFTWARE_GAP_MS, costMs / DRAWING_SHARE));
  };

  return {
    due(nowMs, changed) {
      if (!changed || nowMs - drawnAtMs < gapMs()) return false;
      drawnAtMs = nowMs;
      return true;
    },
    drew(lastMs) {
      costMs = lastMs;
    },
  };
}
