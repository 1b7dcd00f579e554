import type { ActionMeta } from '../protocol/action.ts';
import type { ErrorCode, ErrorDetails } from '../protocol/error-codes.ts';
import type { Progress } from '../protocol/state.ts';

/** Why an action failed. The simulator always gives details; other runtimes may not. */
export interface ActionError {
  /** An error code of the runtime, e.g. `OUT_OF_REACH`; a physical robot may have others. */
  code: ErrorCode | (string & {});
  /** One sentence: what was asked, what is wrong and what to do. */
  message: string;
  /** Stage, `attempted`, `world_changed`, `retryable`, and what was measured. */
  details?: Partial<ErrorDetails>;
}

/** Times are milliseconds since the epoch; runtimes other than the simulator may give the id alone. */
export type ActionResultMeta = Pick<ActionMeta, 'action_id'> & Partial<ActionMeta>;

/** The part that every end of an action has. */
interface ActionStates {
  /** The same as `meta.action_id`. */
  action_id: string;
  /** The action's id, and when it began and ended. */
  meta: ActionResultMeta;
  /** The state of the runtime at the end, in the shape of `robot_status`, where the runtime sends it. */
  runtime_state?: unknown;
  /** The scene at the end, in the shape of `scene_state`, where the runtime sends it. */
  scene_state?: unknown;
}
/** An action that did what was asked; its postcondition was measured. */
export interface ActionDone<T> extends ActionStates {
  /** Tells a success from a failure. */
  status: 'done';
  /** The phase of the action's last event. */
  phase: 'done';
  /** The measured result, in the shape of the skill's output schema. */
  result: T;
  /** Never there; so `ended.error?.code` may be written of any result. */
  error?: undefined;
}
/** An action that ended otherwise. */
export interface ActionFailed extends ActionStates {
  /** Tells a failure from a success. */
  status: 'failed';
  /** `cancelled` is a failure with the code `CANCELLED`. */
  phase: 'failed' | 'cancelled';
  /** Why, and what to do. */
  error: ActionError;
  /** Never there; so `ended.result?.…` may be written of any result. */
  result?: undefined;
}
/** The end of an action: what `invoke` returns and `onActionResult` is called with. `T` is the result of the skill as its schema has it. */
export type ActionResult<T = Record<string, unknown>> = ActionDone<T> | ActionFailed;

/** The runtime has taken the action on. */
export interface ActionAccepted {
  /** Id of the action, as the call bore it. */
  action_id: string;
  /** Tells the kind of event. */
  phase: 'accepted';
  /** Milliseconds since the epoch. */
  at_ms: number;
}
/** A running action has changed what it does, or has come further. */
export interface ActionRunning {
  /** Id of the action, as the call bore it. */
  action_id: string;
  /** Tells the kind of event. */
  phase: 'running';
  /** Milliseconds since the epoch. */
  at_ms: number;
  /** In a word or two: "walking", "closing hands", "settling". */
  activity: string;
  /** How far it has come: `current` of `total`, in `unit`. */
  progress?: Progress;
}
/** The action has ended; `result` is the very object that `invoke` returns. */
export interface ActionEnded<T = Record<string, unknown>> {
  /** Id of the action, as the call bore it. */
  action_id: string;
  /** How it ended; tells the kind of event. */
  phase: 'done' | 'failed' | 'cancelled';
  /** Milliseconds since the epoch. */
  at_ms: number;
  /** The end, as `invoke` returns it. */
  result: ActionResult<T>;
}
/** The events of an action, in this order: accepted, running any number of times, one end. */
export type ActionEvent<T = Record<string, unknown>> = ActionAccepted | ActionRunning | ActionEnded<T>;
