import type { StoredAction } from '../../runtime/action-record.ts';
import { ACTIONS_SHOWN_MAX } from './store.ts';
import type { ActionView } from './types.ts';

/** The list with one action added or brought up to date; newest first, never more than people are shown. */
export function withAction(actions: ActionView[], action: ActionView): ActionView[] {
  const at = actions.findIndex(({ actionId }) => actionId === action.actionId);
  if (at < 0) return [action, ...actions].slice(0, ACTIONS_SHOWN_MAX);
  return actions.map((known, index) => (index === at ? action : known));
}

/**
 * What a reload brings back.
 * @param stored oldest first
 */
export function restoredActions(stored: readonly StoredAction[]): ActionView[] {
  return stored
    .slice(-ACTIONS_SHOWN_MAX)
    .map(({ parametersKey: _key, result, ...action }) => ({
      ...action,
      phase: action.status,
      startedAtMs: result.meta.started_at_ms,
      finishedAtMs: result.meta.finished_at_ms,
      progress: null,
      result,
    }))
    .reverse();
}
