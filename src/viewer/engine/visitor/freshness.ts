/** A picture of the robot that is older is never shown as new. */
export const LIVE_WITHIN_MS = 1_000;
/** A robot that has shown nothing for so long is not there for who watches. */
const LOST_AFTER_MS = 10_000;

/** How new what a visitor sees is. `none`: nothing has been seen yet. */
export type Freshness = 'none' | 'live' | 'old' | 'lost';

/** @param ageMs of the newest state of the world; null before the first */
export function freshnessOf(ageMs: number | null): Freshness {
  if (ageMs === null) return 'none';
  if (ageMs <= LIVE_WITHIN_MS) return 'live';
  return ageMs <= LOST_AFTER_MS ? 'old' : 'lost';
}
