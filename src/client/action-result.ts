import type { ActionMeta } from '../protocol/action.ts';
import type { ErrorCode, ErrorDetails } from '../protocol/error-codes.ts';
import type { Progress } from '../protocol/state.ts';

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
