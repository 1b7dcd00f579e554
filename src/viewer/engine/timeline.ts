import type { ActionRecord, StoredAction } from '../../runtime/action-record.ts';
import { ACTIONS_SHOWN_MAX } from './store.ts';
import type { ActionView } from './types.ts';

/**
 * Returns the list with one action added or updated: newest first, limited to the number that the page shows. The commands of a
 * person at a joystick are one entry, which begins with the first command and otherwise shows the latest.
 */
export function withAction(actions: ActionView[], action: ActionRecord): ActionView[] {
  const command = action.caller.kind === 'page' ? (action.caller.hand?.stroke ?? null) : null;
  const at = actions.findIndex(({ actionId, stroke }) => (command ? stroke?.id === command.id : actionId === action.actionId));
  const known = actions[at];
  const shown = command ? withCommand(known, action, command) : action;
  if (known === undefined) return [shown, ...actions].slice(0, ACTIONS_SHOWN_MAX);
  return actions.map((each, index) => (index === at ? shown : each));
}

/** Updates the entry of a stroke. A superseded command ends after the next one has begun, so its update is outdated. */
function withCommand(
  known: ActionView | undefined,
  action: ActionRecord,
  { id, number }: { id: string; number: number },
): ActionView {
  if (!known?.stroke) return { ...action, stroke: { id, commands: number } };
  if (number < known.stroke.commands) return known;
  return { ...action, startedAtMs: known.startedAtMs, stroke: { id, commands: number } };
}

/**
 * Returns the list with the actions stored before a reload after those of this page.
 * @param stored oldest first
 */
export function withRecalled(actions: ActionView[], stored: readonly StoredAction[]): ActionView[] {
  const recalled = stored
    .slice(-ACTIONS_RESTORED_MAX)
    .map(({ parametersKey: _key, result, ...action }) => ({
      ...action,
      phase: action.status,
      startedAtMs: result.meta.started_at_ms,
      finishedAtMs: result.meta.finished_at_ms,
      progress: null,
      result,
    }))
    .reduce<ActionView[]>(withAction, []);
  return [...actions, ...recalled].slice(0, ACTIONS_SHOWN_MAX);
}

/** A minute at the joystick sends several hundred commands, which are one entry. */
const ACTIONS_RESTORED_MAX = 10 * ACTIONS_SHOWN_MAX;
