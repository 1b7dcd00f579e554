import { RcwRuntimeError } from '../errors.ts';
import type { Logger } from '../options.ts';
import type { RoomLink } from './room-link.ts';
import { sleep } from './wait.ts';

/** Longest time for cancelling an action that its caller has abandoned. */
const CANCEL_WITHIN_MS = 5_000;
const PAUSE_MS = 250;

/**
 * Cancels an action that its caller has abandoned, and settles when it has ended on the robot. The call itself may still be on
 * its way, so the cancel is repeated while the runtime does not know the action. Never rejects: if the action could not be
 * cancelled in time, a warning is logged.
 */
export async function cancelAbandoned(link: RoomLink, actionId: string, logger: Logger): Promise<void> {
  const deadlineMs = performance.now() + CANCEL_WITHIN_MS;
  let why = 'the robot has not heard of it';
  for (let leftMs = CANCEL_WITHIN_MS; leftMs > 0; leftMs = deadlineMs - performance.now()) {
    try {
      await link.read('runtime.cancel', { options: { action_id: actionId } }, { timeoutMs: leftMs });
      return;
    } catch (error) {
      if (!(error instanceof RcwRuntimeError && error.code === 'ACTION_NOT_FOUND')) {
        why = error instanceof Error ? error.message : String(error);
        break;
      }
    }
    if (await hasEnded(link, actionId, Math.max(1, deadlineMs - performance.now()))) return;
    await sleep(Math.min(PAUSE_MS, Math.max(0, deadlineMs - performance.now())));
  }
  logger.warn(`Action ${actionId} was given up and may still run on the robot: it could not be cancelled (${why}).`);
}

/** Whether the runtime knows the end of the action. */
async function hasEnded(link: RoomLink, actionId: string, timeoutMs: number): Promise<boolean> {
  const reply = await link.read('runtime.action', { action_id: actionId }, { timeoutMs }).catch(() => null);
  return typeof reply === 'object' && reply !== null && 'meta' in reply;
}
