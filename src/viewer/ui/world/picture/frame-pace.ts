import { clamp } from '../../../../common/clamp.ts';

/** Minimum time between two frames, milliseconds. */
const SOFTWARE_GAP_MS = 80;
const SOFTWARE_LOADING_GAP_MS = 500;
const LONGEST_GAP_MS = 600;
/**
 * Share of the CPU's time that drawing may take with software rendering. The rest is for the simulation and the robot's cameras.
 */
const DRAWING_SHARE = 1 / 3;

/** Decides when the next frame is due, so that software rendering never starves the simulation. */
export interface FramePace {
  /**
   * Returns whether a frame is due; never without a change. A due frame counts as begun.
   * @param nowMs time of the page's frame callback
   * @param changed whether the world or the view differs from the drawn one
   */
  due(nowMs: number, changed: boolean): boolean;
  /** Reports the cost of the last frame. */
  drew(costMs: number): void;
}

/** Creates the pace. @param loading called at every frame: while the robot loads, the picture is drawn less often */
export function createFramePace(software: boolean, loading: () => boolean): FramePace {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let costMs = 0;

  const gapMs = () => {
    if (!software) return 0;
    if (loading()) return SOFTWARE_LOADING_GAP_MS;
    return clamp(costMs / DRAWING_SHARE, SOFTWARE_GAP_MS, LONGEST_GAP_MS);
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
