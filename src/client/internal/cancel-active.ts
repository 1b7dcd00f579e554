import { CANCEL_ACTIVE } from '../../protocol/methods.ts';
import { isRecord } from '../../protocol/schema-words.ts';
import { RcwRuntimeError, TimeoutError } from '../errors.ts';
import { isActionResult } from './read-result.ts';
import { type AskOptions, CallLostError, READ_REPLY_MS, type RoomLink } from './room-link.ts';
import { sleep } from './wait.ts';

const METHOD = 'runtime.cancel';
/** Between a call that got lost and the next. */
const PAUSE_MS = 200;

/**
 * Cancels whatever is active, and gives its end as the runtime replies. "Whatever is active" names nothing, so a cancel whose reply got
 * lost may have been carried out already. Then nothing is active any more, and the runtime's record tells which action was cancelled since.
 * In every other case the cancel is put again.
 * @param before the action that this session's last cancel ended, which a later cancel cannot have ended
 * @throws RcwRuntimeError `ACTION_NOT_FOUND` when nothing was active; CallLostError when this session has commanded the body since, so that
 * what is active is something else; TimeoutError
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
      `${METHOD} had no reply: the call or its reply got lost. It is not put again, for this session has commanded the robot since; read the state.`,
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
 * The result of the action that was cancelled last, where nothing is active and that was after `startedMs` of `performance.now()`; null
 * where something is active, which a cancel has to end, and where nothing tells so.
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
    // Both times are the runtime's, so that its clock may differ from the one here.
    const agoMs = Number(state.timestamp.wall_time_ms) - Number(last.meta.finished_at_ms);
    const { kind: _kind, name: _name, ...result } = last;
    return agoMs <= performance.now() - startedMs ? result : null;
  } catch (error) {
    // A runtime that keeps no such record, or does not answer: then the cancel itself has to tell.
    if (error instanceof RcwRuntimeError || error instanceof TimeoutError) return null;
    throw error;
  }
}

/** Is this an action that somebody cancelled, not one that a later one replaced? */
function isCancelledTool(item: unknown): boolean {
  if (!isRecord(item) || item.kind !== 'tool' || !isRecord(item.meta) || !isRecord(item.error)) return false;
  if (!isActionResult(item, String(item.meta.action_id)) || item.error.code !== 'CANCELLED') return false;
  return !isRecord(item.error.details) || item.error.details.superseded_by === undefined;
}
