const KEPT = 9;

/** Measures the latency of the robot's last few replies. */
export function createRoundTrips(): { add(tookMs: number): number } {
  const taken: number[] = [];
  return {
    /** Adds a measurement. @returns the median including this one, whole milliseconds */
    add(tookMs) {
      taken.push(tookMs);
      if (taken.length > KEPT) taken.shift();
      return Math.round(taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)] ?? tookMs);
    },
  };
}
