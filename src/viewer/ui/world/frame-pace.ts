/** Least time between two frames, milliseconds. */
const SOFTWARE_GAP_MS = 80;
const SOFTWARE_LOADING_GAP_MS = 500;
const LONGEST_GAP_MS = 600;
/** A frame that the processor draws may take this share of its time; the rest is for the simulation and the robot's cameras. */
const DRAWING_SHARE = 1 / 3;
/** Now and then a frame although nothing moved: restored contexts and other late comers get drawn. */
const REST_GAP_MS = { hardware: 1_000, software: 4_000 };

/** When the next frame is due, so that a picture drawn by the processor never starves what it is a picture of. */
export interface FramePace {
  /**
   * Is a frame due?
   * @param nowMs time of the page's frame callback
   * @param changed the world or the view is different from what was drawn
   */
  due(nowMs: number, changed: boolean): boolean;
}

/** @param loading asked at every frame: while the robot loads, the picture waits more than it draws */
export function createFramePace(software: boolean, loading: () => boolean): FramePace {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let costMs = 0;
  let measuring = false;

  const gapMs = () => {
    if (!software) return 0;
    if (loading()) return SOFTWARE_LOADING_GAP_MS;
    return Math.min(LONGEST_GAP_MS, Math.max(SOFTWARE_GAP_MS, costMs / DRAWING_SHARE));
  };

  return {
    due(nowMs, changed) {
      const sinceMs = nowMs - drawnAtMs;
      // The browser holds the next callback back until the frame before is drawn: that delay is what the frame cost.
      if (measuring) costMs = sinceMs;
      measuring = false;
      if (sinceMs < gapMs()) return false;
      if (!changed && sinceMs < (software ? REST_GAP_MS.software : REST_GAP_MS.hardware)) return false;
      drawnAtMs = nowMs;
      measuring = true;
      return true;
    },
  };
}
