/** CPU time for a frame of a moving picture, and for the final one at rest, milliseconds; other work needs the CPU too. */
const MOVING_MS = 80;
const RESTING_MS = 240;
/** Below this, a picture looks broken rather than soft, and the saving is small. */
export const LOWEST_SHARPNESS = 0.6;
const HIGHEST = 1;
/** Step of the sharpness. A picture that changes its sharpness constantly is worse than one that is slightly slow. */
const STEP = 0.1;
/** The cheapest of this many frames counts, because the others also waited for other work. */
const FRAMES_LOOKED_AT = 3;

/** The possible sharpness with software rendering: pixels of the canvas per pixel of the page. */
export interface Sharpness {
  /** Returns the sharpness while something moves. */
  moving(): number;
  /**
   * Returns the sharpness while nothing moves; never less than `moving`. It increases frame by frame until one costs as much as
   * allowed.
   */
  resting(): number;
  /** Returns whether enough frames were measured to trust the results. */
  isSure(): boolean;
  /** Notes a drawn frame. @param costMs how long it occupied its renderer */
  drew(pixelRatio: number, costMs: number): void;
}

/**
 * Returns a frame's cost relative to one at full sharpness: about half is for the geometry and the page, the other half for the
 * pixels.
 */
const shareOf = (ratio: number): number => (1 + ratio ** 2) / 2;

/** Creates the estimate, which starts low and learns from the cost of frames. */
export function createSharpness(): Sharpness {
  let msPerWhole: number[] = [];
  let moving = LOWEST_SHARPNESS;
  let resting = moving;

  /** Returns the sharpness at which frames take this long, in steps. */
  function fitting(budgetMs: number): number {
    const ratio = Math.sqrt(Math.max(0, (2 * budgetMs) / Math.min(...msPerWhole) - 1));
    return Math.min(HIGHEST, Math.max(LOWEST_SHARPNESS, Math.round(Math.floor(ratio / STEP + 1e-6)) * STEP));
  }

  return {
    moving: () => moving,
    resting: () => Math.max(moving, resting),
    isSure: () => msPerWhole.length >= FRAMES_LOOKED_AT,
    drew(pixelRatio, costMs) {
      msPerWhole = [...msPerWhole, Math.max(1, costMs) / shareOf(pixelRatio)].slice(-FRAMES_LOOKED_AT);
      if (msPerWhole.length < FRAMES_LOOKED_AT) return;
      resting = fitting(RESTING_MS);
      const next = fitting(MOVING_MS);
      if (next < moving || next > moving + 1.5 * STEP) moving = next;
    },
  };
}
