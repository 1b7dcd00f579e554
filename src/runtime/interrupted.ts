import * as errors from '../protocol/texts/error-texts.ts';
import type { AcceptedAction, KeptAction, StoredAction } from './action-record.ts';

/** Returns whether an action had ended when it was kept. */
export const isEnded = (action: KeptAction): action is StoredAction => 'result' in action;

/**
 * Returns the end of an action whose runtime is gone. It was accepted and its end was not seen (promise P5: it does not run
 * again; P6: its end can be read).
 * @param nowMs when this was found out, milliseconds since the epoch
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

/** Reads a kept action; null for anything else, such as a record of another version. */
export function readKeptAction(value: unknown): KeptAction | null {
  const action = value as (Partial<StoredAction> & Partial<AcceptedAction>) | null;
  const isAction =
    typeof action?.actionId === 'string' &&
    typeof action.parametersKey === 'string' &&
    typeof action.caller === 'object' &&
    action.caller !== null &&
    (typeof action.result?.meta?.finished_at_ms === 'number' || typeof action.startedAtMs === 'number');
  return isAction ? (value as KeptAction) : null;
}
