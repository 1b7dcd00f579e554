/** Milliseconds between two checks of the clock. */
const LOOK_EVERY_MS = 1_000;
/** The most that can pass between two checks while the page runs, even with the timers of a hidden page. */
const AWAKE_BETWEEN_LOOKS_MS = 2_000;

/**
 * Starts a timer that counts time only while the page runs. If the browser stops page and worker together, the silence of the
 * worker does not count as a failure.
 * @param nowMs a clock that continues while the page is stopped
 * @returns a function that ends the timer
 */
export function startAwakeTimer(
  timeoutMs: number,
  onExpiry: () => void,
  nowMs: () => number = () => performance.now(),
): () => void {
  let leftMs = timeoutMs;
  let lastLookMs = nowMs();
  let timer = setTimeout(look, Math.min(leftMs, LOOK_EVERY_MS));
  function look(): void {
    const lookedMs = nowMs();
    leftMs -= Math.min(lookedMs - lastLookMs, AWAKE_BETWEEN_LOOKS_MS);
    lastLookMs = lookedMs;
    if (leftMs <= 0) onExpiry();
    else timer = setTimeout(look, Math.min(leftMs, LOOK_EVERY_MS));
  }
  return () => clearTimeout(timer);
}
