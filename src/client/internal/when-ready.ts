import type { Logger } from '../options.ts';
import type { CallOptions } from '../session-options.ts';
import type { RoomLink } from './room-link.ts';
import { within } from './wait.ts';

/** After this time, one warning is logged about what the caller waits for. */
const TELL_WAITING_AFTER_MS = 5_000;

/**
 * Settles when a runtime is in the room and takes calls.
 * @param options.timeoutMs without it there is no limit
 * @returns its skills, as it lists them
 * @throws TimeoutError, whose message names what was missing; the signal's reason
 */
export async function whenReady(link: RoomLink, { timeoutMs, signal }: CallOptions, logger: Logger): Promise<unknown[]> {
  const giveUp = new AbortController();
  const stop = signal ? AbortSignal.any([signal, giveUp.signal]) : giveUp.signal;
  const timer = setTimeout(() => logger.warn(`waiting for the robot: ${link.whatIsAwaited()}`), TELL_WAITING_AFTER_MS);
  const ready = link.ready(stop);
  const late = () => `The robot is not ready after ${(timeoutMs ?? 0) / 1_000} s: ${link.whatIsAwaited()}`;
  return (timeoutMs === undefined ? ready : within(ready, timeoutMs, late, signal)).finally(() => {
    clearTimeout(timer);
    giveUp.abort();
  });
}
