import { isRecord } from '../../common/schema-texts.ts';
import { readRefusal } from '../../remote-robot/refusal.ts';
import type { ActionEnded, ActionError, ActionFailed, ActionResult, ActionResultMeta } from '../action-result.ts';
import { NotControllerError, RcwRuntimeError } from '../errors.ts';

/** Most characters of an id that the library did not choose. */
const SHOWN_CHARACTERS = 64;

/** Whether the reply is a guard: the answer to a call that did not become an action. */
export const isGuard = (reply: unknown): boolean => readRefusal(reply) !== null;

/** @throws RcwRuntimeError when the reply is a guard */
export function throwIfGuard(reply: unknown): void {
  if (!isGuard(reply) || !isRecord(reply)) return;
  const { code, message, details } = readError(reply.error);
  if (code === 'NOT_CONTROLLER') throw new NotControllerError(message, details ?? {});
  throw new RcwRuntimeError(code, message, details ?? {});
}

/**
 * Reads the reply of a call that runs an action.
 * @param actionId the id given in the call; without it, the end of any action is accepted
 * @throws RcwRuntimeError when the reply is a guard, or does not match the contract
 */
export function readActionResult(reply: unknown, actionId?: string): ActionResult {
  throwIfGuard(reply);
  if (!isActionResult(reply)) {
    throw new RcwRuntimeError('INTERNAL', 'The reply of the runtime is not the result of an action. Check what is in the room.');
  }
  const { meta, runtime_state, scene_state } = reply;
  if (actionId !== undefined && meta.action_id !== actionId) {
    throw new RcwRuntimeError(
      'INTERNAL',
      `The reply of the runtime to the call of action ${actionId} is the end of another (${shortened(meta.action_id)}). What became of ${actionId} is not known. Check what is in the room.`,
    );
  }
  const rest = {
    action_id: meta.action_id,
    meta,
    ...(runtime_state === undefined ? {} : { runtime_state }),
    ...(scene_state === undefined ? {} : { scene_state }),
  };
  if (reply.status === 'done')
    return { status: 'done', phase: 'done', result: isRecord(reply.result) ? reply.result : {}, ...rest };
  const error = readError(reply.error);
  return { status: 'failed', phase: error.code === 'CANCELLED' ? 'cancelled' : 'failed', error, ...rest };
}

/** Whether this is the stored or new result of this action; without an id, of any action. */
export function isActionResult(
  reply: unknown,
  actionId?: string,
): reply is Record<string, unknown> & { status: 'done' | 'failed'; meta: ActionResultMeta } {
  if (!isRecord(reply) || (reply.status !== 'done' && reply.status !== 'failed') || !isRecord(reply.meta)) return false;
  const id = reply.meta.action_id;
  return typeof id === 'string' && (actionId === undefined || id === actionId);
}

/** Returns a refusal as the end of the action that the call would have become. It has no times, because nothing ran. */
export function failedBy(refusal: RcwRuntimeError, actionId: string): ActionFailed {
  const { code, runtimeMessage: message, details } = refusal;
  const phase = code === 'CANCELLED' ? 'cancelled' : 'failed';
  return { status: 'failed', phase, error: { code, message, details }, action_id: actionId, meta: { action_id: actionId } };
}

/** Returns the event of an action that has ended. */
export const endEventOf = <T>(result: ActionResult<T>): ActionEnded<T> => ({
  action_id: result.action_id,
  phase: result.phase,
  at_ms: result.meta.finished_at_ms ?? Date.now(),
  result,
});

/** Returns the code of a guard; null for any other reply. */
export const guardCode = (reply: unknown): string | null => readRefusal(reply)?.code || null;

/** Returns the part of a text that an error shows. */
const shortened = (text: string): string => (text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`);

function readError(error: unknown): ActionError {
  const fields = isRecord(error) ? error : {};
  return {
    code: typeof fields.code === 'string' ? fields.code : 'INTERNAL',
    message: typeof fields.message === 'string' ? fields.message : 'The runtime gave no reason.',
    ...(isRecord(fields.details) ? { details: fields.details } : {}),
  };
}
