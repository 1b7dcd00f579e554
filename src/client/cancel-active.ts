import { CANCEL_ACTIVE } from '../protocol/methods.ts';
import { isActionResult } from './action-result.ts';
import { isRecord } from './api-error.ts';
import { RcwRuntimeError, TimeoutError } from './errors.ts';
import { type AskOptions, CallLostError, READ_REPLY_MS, type RoomLink } from './room-link.ts';
import { sleep, within } from './wait.ts';

const METHOD = 'runtime.cancel';
/** Between a call that got lost and the next. */
const PAUSE_MS = 200;

/**
 * Cancels whatever is active, and gives its end as the runtime replies. "Whatever is active" names nothing, so a cancel whose reply got
 * lost is not just put again: by then the first may have been carried out, or somebody else's action runs. The state tells whether an
 * action was cancelled since; only where none was, the cancel is put again.
 * @throws RcwRuntimeError `ACTION_NOT_FOUND` when nothing was active; CallLostError when this session has commanded the body since, so that
 * what is active is something else; TimeoutError
 */
export async function cancelActive(link: RoomLink, { timeoutMs, signal }: AskOptions): Promise<unknown> {
  const startedMs = performance.now();
  const late = `${METHOD} had no reply within ${timeoutMs / 1_000} s.`;
  const leftMs = () => {
    const left = timeoutMs - (performance.now() - startedMs);
    if (left <= 0) throw new TimeoutError(late);
    return left;
  };
  const place = link.commandsMade;
  for (;;) {
    try {
      const ask = { timeoutMs: Math.min(leftMs(), READ_REPLY_MS), signal };
      return await link.askOnce(METHOD, { options: { action_id: CANCEL_ACTIVE } }, ask);
    } catch (lost) {
      if (!(lost instanceof CallLostError) || link.hasCommandedSince(place)) throw lost;
    }
    await sleep(Math.min(PAUSE_MS, leftMs()), signal);
    await within(link.runtimePresent(signal), leftMs(), late, signal);
    const ended = await cancelledSince(link, startedMs, { timeoutMs: leftMs(), signal });
    if (ended !== null) return ended;
  }
}

/** The result of the action that was cancelled last, if that was after `startedMs` of `performance.now()`; null where nothing tells so. */
async function cancelledSince(link: RoomLink, startedMs: number, ask: AskOptions): Promise<unknown> {
  try {
    const state = await link.read('runtime.state', {}, ask);
    const last = isRecord(state) && isRecord(state.runtime) ? state.runtime.last_action : undefined;
    if (!isRecord(last) || last.status !== 'cancelled' || typeof last.action_id !== 'string') return null;
    // Both times are the runtime's, so that its clock may differ from the one here.
    const nowMs = isRecord(state) && isRecord(state.timestamp) ? Number(state.timestamp.wall_time_ms) : Number.NaN;
    const isSince = nowMs - Number(last.finished_at_ms) <= performance.now() - startedMs;
    if (!isSince) return null;
    const { timeoutMs, signal } = ask;
    const reply = await link.read('runtime.action', { action_id: last.action_id }, { timeoutMs, signal });
    return isActionResult(reply, last.action_id) ? reply : null;
  } catch (error) {
    // A runtime that keeps no such record, or does not answer: then the cancel itself has to tell.
    if (error instanceof RcwRuntimeError || error instanceof TimeoutError) return null;
    throw error;
  }
}
