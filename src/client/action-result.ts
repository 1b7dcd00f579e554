import type { ActionMeta } from '../protocol/wire/action.ts';
import type { ErrorCode, ErrorDetails } from '../protocol/wire/error-codes.ts';
import type { Progress } from '../protocol/wire/state.ts';

/** Why an action failed. The simulator always gives details; other runtimes may not. */
export interface ActionError {
  /** An error code of the runtime, e.g. `OUT_OF_REACH`; a physical robot may have others. */
  code: ErrorCode | (string & {});
  /** One sentence: what was asked, what is wrong and what to do. */
  message: string;
  /** Stage, `attempted`, `world_changed`, `retryable`, and what was measured. */
  details?: Partial<ErrorDetails>;
}

/** Times are milliseconds since the epoch. Runtimes other than the simulator may give only the id. */
export type ActionResultMeta = Pick<ActionMeta, 'action_id'> & Partial<ActionMeta>;

/** The fields that every end of an action has. */
interface ActionStates {
  /** The same as `meta.action_id`. */
  action_id: string;
  /** The action's id, and when it began and ended. */
  meta: ActionResultMeta;
  /** The state of the runtime at the end, in the shape of `robot_status`, if the runtime sends it. */
  runtime_state?: unknown;
  /** The scene at the end, in the shape of `scene_state`, if the runtime sends it. */
  scene_state?: unknown;
}
/** An action that did what was asked. Its postcondition was measured. */
export interface ActionDone<T> extends ActionStates {
  /** Distinguishes success from failure. */
  status: 'done';
  /** The phase of the action's last event. */
  phase: 'done';
  /** The measured result, in the shape of the skill's output schema. */
  result: T;
  /** Always absent, so `ended.error?.code` type-checks for any result. */
  error?: undefined;
}
/** An action that failed or was cancelled. */
export interface ActionFailed extends ActionStates {
  /** Distinguishes failure from success. */
  status: 'failed';
  /** `cancelled` is a failure with the code `CANCELLED`. */
  phase: 'failed' | 'cancelled';
  /** Why, and what to do. */
  error: ActionError;
  /** Always absent, so `ended.result?.…` type-checks for any result. */
  result?: undefined;
}
/** The end of an action: `invoke` returns it and `onActionResult` receives it. `T` is the result type from the skill's schema. */
export type ActionResult<T = Record<string, unknown>> = ActionDone<T> | ActionFailed;

/** The runtime has accepted the action. */
export interface ActionAccepted {
  /** Id of the action, as given in the call. */
  action_id: string;
  /** The kind of event. */
  phase: 'accepted';
  /** Milliseconds since the epoch. */
  at_ms: number;
}
/** A running action has changed its activity or has made progress. */
export interface ActionRunning {
  /** Id of the action, as given in the call. */
  action_id: string;
  /** The kind of event. */
  phase: 'running';
  /** Milliseconds since the epoch. */
  at_ms: number;
  /** One or two words: "walking", "closing hands", "settling". */
  activity: string;
  /** The progress so far: `current` of `total`, in `unit`. */
  progress?: Progress;
}
/** The action has ended. `result` is the same object that `invoke` returns. */
export interface ActionEnded<T = Record<string, unknown>> {
  /** Id of the action, as given in the call. */
  action_id: string;
  /** How the action ended. Also the kind of event. */
  phase: 'done' | 'failed' | 'cancelled';
  /** Milliseconds since the epoch. */
  at_ms: number;
  /** The end, as `invoke` returns it. */
  result: ActionResult<T>;
}
/** The events of an action, in this order: accepted once, running any number of times, and one end. */
export type ActionEvent<T = Record<string, unknown>> = ActionAccepted | ActionRunning | ActionEnded<T>;
