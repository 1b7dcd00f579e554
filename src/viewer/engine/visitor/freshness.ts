/** An older picture of the robot is never shown as live. */
export const LIVE_WITHIN_MS = 1_000;
/** A robot without new states for this long counts as absent for viewers. */
const LOST_AFTER_MS = 10_000;

/** How recent the visitor's picture is. `none`: no state has arrived yet. */
export type Freshness = 'none' | 'live' | 'old' | 'lost';

/** Classifies an age. @param ageMs of the newest state of the world; null before the first */
export function freshnessOf(ageMs: number | null): Freshness {
  if (ageMs === null) return 'none';
  if (ageMs <= LIVE_WITHIN_MS) return 'live';
  return ageMs <= LOST_AFTER_MS ? 'old' : 'lost';
}
