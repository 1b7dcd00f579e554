import { callerFields } from '../../../protocol/wire/caller.ts';
import type { ActionView } from '../../engine/types.ts';

/** Returns an action with the field names of the wire format. */
function actionRecord(action: ActionView): Record<string, unknown> {
  const { actionId, kind, name, input, caller, status, startedAtMs, finishedAtMs, result } = action;
  return {
    action_id: actionId,
    kind,
    name,
    input,
    ...callerFields(caller),
    status,
    started_at_ms: startedAtMs,
    finished_at_ms: finishedAtMs,
    result,
  };
}

/** Returns an action as JSON text. */
export const actionAsJson = (action: ActionView): string => JSON.stringify(actionRecord(action), null, 2);

/**
 * Returns actions as a file that names their origin.
 * @param actions newest first, as shown
 * @param nowMs milliseconds since the epoch
 */
export function actionsFile(
  actions: readonly ActionView[],
  robot: { id: string | null; name: string } | null,
  filter: unknown,
  nowMs: number,
): { name: string; text: string } {
  const name = `actions-${fileWord(robot?.name ?? 'robot')}-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-')}.json`;
  const file = { exported_at_ms: nowMs, robot, filter, actions: actions.map(actionRecord) };
  return { name, text: `${JSON.stringify(file, null, 2)}\n` };
}

const fileWord = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'robot';
