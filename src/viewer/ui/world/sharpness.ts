/** What a frame of a moving picture, and the one that stays when nothing moves, may take of the processor, which others want too; milliseconds. */
const MOVING_MS = 80;
const RESTING_MS = 240;
/** Below this a picture looks broken rather than soft, and saves little. */
export const LOWEST_SHARPNESS = 0.6;
const HIGHEST = 1;
/** A picture that changes its sharpness all the time is worse than one that is a little slow. */
const STEP = 0.1;
/** The cheapest of so many frames counts: the others waited for something else as well. */
const FRAMES_LOOKED_AT = 3;

/** How sharp a picture drawn by the processor can be: pixels of the canvas per pixel of the page. */
export interface Sharpness {
  /** While something moves. */
  moving(): number;
  /** When nothing does; never less. Grows frame by frame until one is as dear as it may be. */
  resting(): number;
  /** Were enough frames seen to trust the answers? */
  isSure(): boolean;
  /** A frame was drawn. @param costMs how long it kept whoever draws it */
  drew(pixelRatio: number, costMs: number): void;
}

/** What a frame costs, against one at full sharpness: about half is for the geometry and the page, the other for the pixels. */
const shareOf = (ratio: number): number => (1 + ratio ** 2) / 2;

/** Starts low and learns from what frames cost. */
export function createSharpness(): Sharpness {
  let msPerWhole: number[] = [];
  let moving = LOWEST_SHARPNESS;
  let resting = moving;

  /** The sharpness whose frames take this long, in steps. */
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
