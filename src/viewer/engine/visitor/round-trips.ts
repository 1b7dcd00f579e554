const KEPT = 9;

/** Tells how long the robot's answers take, of the last few. */
export function createRoundTrips(): { add(tookMs: number): number } {
  const taken: number[] = [];
  return {
    /** @returns the median with this one, whole milliseconds */
    add(tookMs) {
      taken.push(tookMs);
      if (taken.length > KEPT) taken.shift();
      return Math.round(taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)] ?? tookMs);
    },
  };
}
