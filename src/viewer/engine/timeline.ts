import { ACTIONS_SHOWN_MAX } from './store.ts';
import type { ActionView } from './types.ts';

/** The list with one action added or brought up to date; newest first, never more than people are shown. */
export function withAction(actions: readonly ActionView[], action: ActionView): ActionView[] {
  const at = actions.findIndex(({ actionId }) => actionId === action.actionId);
  if (at < 0) return [action, ...actions].slice(0, ACTIONS_SHOWN_MAX);
  return actions.map((known, index) => (index === at ? action : known));
}
