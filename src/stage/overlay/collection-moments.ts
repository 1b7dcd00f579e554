import { clamp } from '../../common/clamp.ts';
/** One moment in the animation of a collected cube. All shares are 0…1. */
export interface StoryMoment {
  /** Height of the scanning light, from the cube's foot to its top, and its brightness. */
  scannerHeight: number;
  scannerLight: number;
  /** Brightness of the light round the hatch. */
  rimLight: number;
  /** How wide the hatch stands open. */
  hatchOpen: number;
  /** How far the cube has gone down; at 1 it is gone. */
  sunk: number;
}

/** When each part ends, simulated seconds since the cube was collected. */
const READ_S = 0.7;
const OPEN_S = 0.9;
const DOWN_S = 2;
const SHUT_S = 2.3;
const OVER_S = 2.6;
/** Duration for a person who wants less motion: the cube is framed this long, then gone. */
const STILL_S = 1.2;

const share = (fromS: number, toS: number, atS: number): number => clamp((atS - fromS) / (toS - fromS), 0, 1);
/** Eases a share, so that it starts and ends gently. */
const eased = (value: number): number => value * value * (3 - 2 * value);

/**
 * Returns the animation's moment at an age. Nothing is kept from frame to frame, so it is the same for every viewer, whenever
 * they begin.
 * @param ageS simulated seconds since the cube was collected
 * @param still no part of it moves
 * @returns null when it is over
 */
export function storyAt(ageS: number, still: boolean): StoryMoment | null {
  if (still) return ageS < STILL_S ? { scannerHeight: 0.5, scannerLight: 0.9, rimLight: 0.9, hatchOpen: 0, sunk: 0 } : null;
  if (ageS >= OVER_S) return null;
  return {
    // Up and down again.
    scannerHeight: 1 - Math.abs(1 - 2 * eased(share(0, READ_S, ageS))),
    scannerLight: 0.95 * (1 - share(READ_S, OPEN_S, ageS)),
    rimLight: 0.95 * share(READ_S * 0.7, READ_S, ageS) * (1 - share(SHUT_S, OVER_S, ageS)),
    hatchOpen: eased(share(READ_S, OPEN_S, ageS)) * (1 - eased(share(DOWN_S, SHUT_S, ageS))),
    sunk: eased(share(OPEN_S, DOWN_S, ageS)),
  };
}
