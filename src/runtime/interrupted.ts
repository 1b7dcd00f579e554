import * as errors from '../protocol/error-texts.ts';
import type { AcceptedAction, StoredAction } from './action-record.ts';

/**
 * The end of an action whose runtime is gone: it was accepted, and nobody saw it end (promise P5: it does not run again; P6: its end can be read).
 * @param nowMs when that was found out, milliseconds since the epoch
 */
export function interruptedAction({ startedAtMs, ...action }: AcceptedAction, nowMs: number): StoredAction {
  const finishedAtMs = Math.max(startedAtMs, Math.round(nowMs));
  return {
    ...action,
    status: 'failed',
    result: {
      status: 'failed',
      error: errors.interrupted(action.name, action.kind),
      meta: {
        action_id: action.actionId,
        started_at_ms: startedAtMs,
        finished_at_ms: finishedAtMs,
        duration_ms: finishedAtMs - startedAtMs,
      },
    },
  };
}
