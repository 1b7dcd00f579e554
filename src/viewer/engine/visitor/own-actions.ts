import { actionResultSchema } from '../../../protocol/wire/action.ts';
import { type Caller, type HandMark, PAGE, unsignedCaller } from '../../../protocol/wire/caller.ts';
import type { RuntimeState } from '../../../protocol/wire/state.ts';
import type { ActionRecord } from '../../../runtime/action-record.ts';
import { withAction } from '../timeline.ts';
import type { ActionView } from '../types.ts';

/** The robot's state does not name the caller. It was not this page. */
const SOMEBODY_ELSE: Caller = { kind: 'robot', what: 'the other caller' };

/**
 * The skill of a pose. Poses are not actions of their own: consecutive poses of one caller are one action, whose id the robot
 * chooses.
 */
const POSES = 'set_upper_body';

/** A call of this page that becomes an action. */
export interface OwnCall {
  actionId: string;
  kind: ActionRecord['kind'];
  name: string;
  input: unknown;
  hand?: HandMark | undefined;
  /** Milliseconds since the epoch. */
  atMs: number;
}

/** Adds an action that this page has called. */
export const withCall = (actions: readonly ActionView[], { hand, atMs, ...call }: OwnCall): ActionView[] =>
  withAction([...actions], {
    ...call,
    caller: unsignedCaller(null, hand),
    phase: '',
    status: 'running',
    startedAtMs: atMs,
    finishedAtMs: null,
    progress: null,
    result: null,
  });

/** Ends an action of this page according to its reply. A rejected call never became an action. */
export function withReply(actions: readonly ActionView[], { actionId, ...call }: OwnCall, reply: unknown): ActionView[] {
  const result = actionResultSchema.safeParse(reply).data;
  if (!result) return actions.filter((action) => action.actionId !== actionId || action.status !== 'running');
  const status = result.error?.code === 'CANCELLED' ? 'cancelled' : result.status;
  return withAction([...actions], {
    actionId,
    kind: call.kind,
    name: call.name,
    input: call.input,
    caller: unsignedCaller(null, call.hand),
    phase: status,
    status,
    startedAtMs: result.meta.started_at_ms,
    finishedAtMs: result.meta.finished_at_ms,
    progress: null,
    result,
  });
}

/**
 * Updates actions from the robot's state: the progress of any action, and the beginning and end of those that others called.
 * @param isOwn returns whether this page has called the action of this id. Its reply reports the outcome; the state may be older
 * @param sendsPosesOf returns whether the poses that the robot has followed since a time, by its own clock, are this page's
 */
export function withState(
  actions: readonly ActionView[],
  { runtime }: RuntimeState,
  isOwn: (actionId: string) => boolean,
  sendsPosesOf: (startedAtMs: number) => boolean,
): ActionView[] {
  const callerOf = ({ name, started_at_ms }: { name: string; started_at_ms: number }, known: ActionView | undefined): Caller =>
    name === POSES && sendsPosesOf(started_at_ms) ? PAGE : (known?.caller ?? SOMEBODY_ELSE);
  let next = [...actions];
  const { active_action: active, last_action: last } = runtime;
  if (active) {
    const known = next.find(({ actionId }) => actionId === active.action_id);
    if (known ? known.status === 'running' : !isOwn(active.action_id))
      next = withAction(next, {
        actionId: active.action_id,
        kind: active.kind,
        name: active.name,
        input: known?.input ?? {},
        caller: callerOf(active, known),
        phase: active.phase,
        status: 'running',
        startedAtMs: active.started_at_ms,
        finishedAtMs: null,
        progress: active.progress ?? null,
        result: null,
      });
  }
  const ended = last && next.find(({ actionId }) => actionId === last.action_id);
  if (last && (ended ? ended.status === 'running' : !isOwn(last.action_id))) {
    const { action_id: actionId, started_at_ms, finished_at_ms, duration_ms, status, error } = last;
    next = withAction(next, {
      actionId,
      kind: last.kind,
      name: last.name,
      input: ended?.input ?? {},
      caller: callerOf(last, ended),
      phase: status,
      status,
      startedAtMs: started_at_ms,
      finishedAtMs: finished_at_ms,
      progress: null,
      result: {
        status: status === 'done' ? 'done' : 'failed',
        ...(error ? { error } : {}),
        meta: { action_id: actionId, started_at_ms, finished_at_ms, duration_ms },
      },
    });
  }
  // The outcome of an action is unknown if no call of this page began it and this page has not seen it end.
  return next.filter(
    ({ status, caller, name, actionId }) =>
      status !== 'running' || (caller !== SOMEBODY_ELSE && name !== POSES) || actionId === active?.action_id,
  );
}
