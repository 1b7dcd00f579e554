import type { ActionMeta } from '../protocol/action.ts';
import type { ErrorCode, ErrorDetails } from '../protocol/error-codes.ts';
import { isRecord } from '../protocol/schema-words.ts';
import type { Progress } from '../protocol/state.ts';
import { RcwRuntimeError } from './errors.ts';

/** Why an action failed. The simulator always gives details; other runtimes may not. */
export interface ActionError {
  code: ErrorCode | (string & {});
  message: string;
  details?: Partial<ErrorDetails>;
}

/** Times are milliseconds since the epoch; runtimes other than the simulator may give the id alone. */
export type ActionResultMeta = Pick<ActionMeta, 'action_id'> & Partial<ActionMeta>;

interface ActionStates {
  /** The same as `meta.action_id`. */
  action_id: string;
  meta: ActionResultMeta;
  runtime_state?: unknown;
  scene_state?: unknown;
}
export interface ActionDone<T> extends ActionStates {
  status: 'done';
  phase: 'done';
  result: T;
  /** Never there; so `ended.error?.code` may be written of any result. */
  error?: undefined;
}
export interface ActionFailed extends ActionStates {
  status: 'failed';
  /** `cancelled` is a failure with the code `CANCELLED`. */
  phase: 'failed' | 'cancelled';
  error: ActionError;
  /** Never there; so `ended.result?.…` may be written of any result. */
  result?: undefined;
}
/** The end of an action: what `invoke` returns and `onActionResult` is called with. `T` is the result of the skill as its schema has it. */
export type ActionResult<T = Record<string, unknown>> = ActionDone<T> | ActionFailed;

/** The runtime has taken the action on. */
export interface ActionAccepted {
  action_id: string;
  phase: 'accepted';
  /** Milliseconds since the epoch. */
  at_ms: number;
}
/** A running action has changed what it does, or has come further. */
export interface ActionRunning {
  action_id: string;
  phase: 'running';
  at_ms: number;
  /** In a word or two: "walking", "closing hands", "settling". */
  activity: string;
  progress?: Progress;
}
/** The action has ended; `result` is the very object that `invoke` returns. */
export interface ActionEnded<T = Record<string, unknown>> {
  action_id: string;
  phase: 'done' | 'failed' | 'cancelled';
  at_ms: number;
  result: ActionResult<T>;
}
/** The events of an action, in this order: accepted, running any number of times, one end. */
export type ActionEvent<T = Record<string, unknown>> = ActionAccepted | ActionRunning | ActionEnded<T>;

/** Of an id that somebody else chose. */
const SHOWN_CHARACTERS = 64;

/** Is this a guard, the answer to a call that did not become an action? */
export function isGuard(reply: unknown): boolean {
  return isRecord(reply) && reply.status === 'failed' && isRecord(reply.error) && reply.meta === undefined;
}

/** @throws RcwRuntimeError when the reply is a guard */
export function throwIfGuard(reply: unknown): void {
  if (!isGuard(reply) || !isRecord(reply)) return;
  const { code, message, details } = readError(reply.error);
  throw new RcwRuntimeError(code, message, details ?? {});
}

/**
 * Reads the reply of a call that runs an action.
 * @param actionId the id that the call bore; without it, the end of any action will do
 * @throws RcwRuntimeError when it is a guard, or not what the contract says
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

/** Is this the stored or fresh result of this action (of any, without an id)? */
export function isActionResult(
  reply: unknown,
  actionId?: string,
): reply is Record<string, unknown> & { status: 'done' | 'failed'; meta: ActionResultMeta } {
  if (!isRecord(reply) || (reply.status !== 'done' && reply.status !== 'failed') || !isRecord(reply.meta)) return false;
  const id = reply.meta.action_id;
  return typeof id === 'string' && (actionId === undefined || id === actionId);
}

export const endEventOf = <T>(result: ActionResult<T>): ActionEnded<T> => ({
  action_id: result.action_id,
  phase: result.phase,
  at_ms: result.meta.finished_at_ms ?? Date.now(),
  result,
});

/** So much of a text as an error shows. */
const shortened = (text: string): string => (text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`);

function readError(error: unknown): ActionError {
  const fields = isRecord(error) ? error : {};
  return {
    code: typeof fields.code === 'string' ? fields.code : 'INTERNAL',
    message: typeof fields.message === 'string' ? fields.message : 'The runtime gave no reason.',
    ...(isRecord(fields.details) ? { details: fields.details } : {}),
  };
}
