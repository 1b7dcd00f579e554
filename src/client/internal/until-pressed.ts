import type { EmergencyStopOptions } from '../emergency-stop.ts';
import { PlatformAPIError, PlatformConnectionError } from '../errors.ts';
import { sleep } from './wait.ts';

/** A press is safe to repeat, so it is repeated until a path confirms that the robot stands. */
export const PRESS_TIMEOUT_MS = 10_000;
export const PRESS_PAUSE_MS = 200;

/**
 * Repeats one press over HTTP until it is answered. Other POSTs are sent only once because they must not happen twice; a press
 * may.
 * @param send sends the press, within the given time
 * @throws what the last attempt threw; immediately for a refusal that repeating cannot change
 */
export async function untilPressed<T>(
  send: (timeoutMs: number) => Promise<T>,
  { timeoutMs = PRESS_TIMEOUT_MS, signal }: EmergencyStopOptions,
): Promise<T> {
  const untilMs = performance.now() + timeoutMs;
  const leftMs = (): number => Math.ceil(untilMs - performance.now());
  for (;;) {
    try {
      return await send(Math.max(1, leftMs()));
    } catch (error) {
      if (!isPassing(error) || leftMs() <= PRESS_PAUSE_MS) throw error;
      await sleep(PRESS_PAUSE_MS, signal);
    }
  }
}

/** Whether a later press over HTTP may get another answer. */
export const isPassing = (error: unknown): boolean =>
  error instanceof PlatformConnectionError ||
  (error instanceof PlatformAPIError && (error.statusCode === 429 || error.statusCode >= 500));
