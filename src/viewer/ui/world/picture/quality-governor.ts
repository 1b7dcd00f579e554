import { BEST_LEVEL } from './quality.ts';

/** A frame is late if it takes longer than this: 60 frames a second, with a margin for the display's own jitter. */
const LATE_MS = 20;
/** Factor for a display or browser with a slower native rate: frames are late beyond this multiple of its own interval. */
const OWN_PACE_SHARE = 1.3;
/** Number of successive frames that are judged together. */
const FRAMES_JUDGED = 40;
/** A larger share of late frames among them is too much. */
const LATE_SHARE = 0.25;
/** A longer gap is a pause, not a frame. */
const PAUSE_MS = 250;
/** After this many frames in time, a better level is tried; twice as many after each failed attempt. */
const FRAMES_BEFORE_TRY = 600;
const FRAMES_BEFORE_TRY_MAX = 19_200;

/** Finds the best level at which a GPU draws frames in time. */
export interface QualityGovernor {
  level(): number;
  /** Reports a frame during continuous drawing. @param gapMs since the previous one */
  frame(gapMs: number): void;
  /** Reports a frame of the browser in which nothing was drawn. */
  idle(gapMs: number): void;
}

/**
 * Creates the governor. It starts at the best level, steps down quickly and up slowly. A failed level is tried again increasingly
 * rarely.
 */
export function createQualityGovernor(start = BEST_LEVEL): QualityGovernor {
  let level = start;
  let gaps: number[] = [];
  let inTime = 0;
  let beforeTry = FRAMES_BEFORE_TRY;
  let isTry = false;
  let idleGaps: number[] = [];
  let ownPaceMs = 0;

  const moveTo = (next: number) => {
    level = next;
    gaps = [];
    inTime = 0;
  };

  return {
    level: () => level,
    idle(gapMs) {
      gaps = [];
      if (gapMs > PAUSE_MS) return;
      idleGaps.push(gapMs);
      if (idleGaps.length < FRAMES_JUDGED) return;
      ownPaceMs = idleGaps.toSorted((a, b) => a - b)[FRAMES_JUDGED >> 1] ?? 0;
      idleGaps = [];
    },
    frame(gapMs) {
      if (gapMs > PAUSE_MS) {
        gaps = [];
        return;
      }
      gaps.push(gapMs);
      if (gaps.length < FRAMES_JUDGED) return;
      const limitMs = Math.max(LATE_MS, ownPaceMs * OWN_PACE_SHARE);
      const late = gaps.filter((gap) => gap > limitMs).length;
      gaps = [];
      if (late > FRAMES_JUDGED * LATE_SHARE) {
        if (isTry) beforeTry = Math.min(FRAMES_BEFORE_TRY_MAX, beforeTry * 2);
        isTry = false;
        if (level > 0) moveTo(level - 1);
        return;
      }
      inTime += FRAMES_JUDGED;
      if (inTime < beforeTry || level >= BEST_LEVEL) return;
      isTry = true;
      moveTo(level + 1);
    },
  };
}
