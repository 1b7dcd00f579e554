import { isRecord } from '../../common/schema-texts.ts';
import { CANCEL_ACTIVE } from '../../protocol/wire/methods.ts';
import { RcwRuntimeError, TimeoutError } from '../errors.ts';
import { isActionResult } from './read-result.ts';
import { type AskOptions, CallLostError, READ_REPLY_MS, type RoomLink } from './room-link.ts';
import { sleep } from './wait.ts';

const METHOD = 'runtime.cancel';
/** Pause between a lost call and the next. */
const PAUSE_MS = 200;

/**
 * Cancels the active action, and returns its end as the runtime replies. The call names no action, so a cancel whose reply got
 * lost may have been carried out. In that case no action is active, and the runtime's record shows which action was cancelled
 * since. In every other case the cancel is sent again.
 * @param before the action that this session's last cancel ended; a later cancel cannot have ended it
 * @throws RcwRuntimeError `ACTION_NOT_FOUND` when no action was active; CallLostError when this session has commanded the body
 * since, so that another action may be active; TimeoutError
 */
export async function cancelActive(link: RoomLink, before: string | null, { timeoutMs, signal }: AskOptions): Promise<unknown> {
  const startedMs = performance.now();
  const late = `${METHOD} had no reply within ${timeoutMs / 1_000} s.`;
  const leftMs = () => {
    const left = timeoutMs - (performance.now() - startedMs);
    if (left <= 0) throw new TimeoutError(late);
    return left;
  };
  const place = link.commandsMade;
  const requireSame = () => {
    if (!link.hasCommandedSince(place)) return;
    throw new CallLostError(
      `${METHOD} had no reply: the call or its reply got lost. It is not sent again, because this session has commanded the robot since; read the state.`,
    );
  };
  for (;;) {
    try {
      const ask = { timeoutMs: Math.min(leftMs(), READ_REPLY_MS), signal };
      return await link.askOnce(METHOD, { options: { action_id: CANCEL_ACTIVE } }, ask);
    } catch (lost) {
      if (!(lost instanceof CallLostError)) throw lost;
    }
    requireSame();
    await sleep(Math.min(PAUSE_MS, leftMs()), signal);
    await link.runtimeWithin(leftMs(), late, signal);
    const ended = await cancelledSince(link, before, startedMs, { timeoutMs: leftMs(), signal });
    if (ended !== null) return ended;
    requireSame();
  }
}

/**
 * Returns the result of the action that was cancelled last, if no action is active and the cancel came after `startedMs` of
 * `performance.now()`. Returns null if an action is active, which a cancel must end, or if the runtime's record does not show a
 * cancel.
 */
async function cancelledSince(
  link: RoomLink,
  before: string | null,
  startedMs: number,
  ask: AskOptions,
): Promise<Record<string, unknown> | null> {
  try {
    const state = await link.read('runtime.state', {}, ask);
    if (!isRecord(state) || !isRecord(state.runtime) || !isRecord(state.timestamp)) return null;
    if (isRecord(state.runtime.active_action)) return null;
    const ended = await link.read('runtime.action', {}, ask);
    const last = Array.isArray(ended) ? ended.find(isCancelledTool) : undefined;
    if (!isRecord(last) || !isRecord(last.meta) || last.meta.action_id === before) return null;
    // Both times are the runtime's, so its clock may differ from the local one.
    const agoMs = Number(state.timestamp.wall_time_ms) - Number(last.meta.finished_at_ms);
    const { kind: _kind, name: _name, ...result } = last;
    return agoMs <= performance.now() - startedMs ? result : null;
  } catch (error) {
    // The runtime keeps no such record or does not answer. Then only the cancel itself can show the outcome.
    if (error instanceof RcwRuntimeError || error instanceof TimeoutError) return null;
    throw error;
  }
}

/** Whether this action was cancelled by a caller, as opposed to replaced by a later action. */
function isCancelledTool(item: unknown): boolean {
  if (!isRecord(item) || item.kind !== 'tool' || !isRecord(item.meta) || !isRecord(item.error)) return false;
  if (!isActionResult(item, String(item.meta.action_id)) || item.error.code !== 'CANCELLED') return false;
  return !isRecord(item.error.details) || item.error.details.superseded_by === undefined;
}
