/** Latency of the cockpit's own calls to the robot and back, milliseconds. */
export interface RoundTrips {
  medianMs: number;
  worstMs: number;
}

const WINDOW_MS = 3_000;
const KEPT = 200;

/** Records the durations of calls in the last seconds. */
export function createRoundTrips() {
  let taken: { tookMs: number; atMs: number }[] = [];
  let lastAtMs = Number.NEGATIVE_INFINITY;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let read: RoundTrips | null = null;
  return {
    add(tookMs: number, atMs: number): void {
      taken = [...taken.slice(1 - KEPT), { tookMs, atMs }];
      lastAtMs = atMs;
    },
    /**
     * Returns the latencies of the last seconds, or of the last call if it is older. The same object while nothing has changed.
     */
    read(nowMs: number): RoundTrips | null {
      const recent = taken.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS);
      const times = (recent.length > 0 ? recent : taken.slice(-1)).map(({ tookMs }) => tookMs).sort((a, b) => a - b);
      const medianMs = Math.round(times[Math.floor(times.length / 2)] ?? 0);
      const worstMs = Math.round(times.at(-1) ?? 0);
      if (times.length === 0) read = null;
      else if (read?.medianMs !== medianMs || read.worstMs !== worstMs) read = { medianMs, worstMs };
      return read;
    },
    /** Returns whether there was no reply for this long. Returns true once, so that one probe is sent. */
    isSilent(nowMs: number, forMs: number): boolean {
      if (nowMs - Math.max(lastAtMs, askedAtMs) < forMs) return false;
      askedAtMs = nowMs;
      return true;
    },
  };
}
