import type { Caller } from '../protocol/caller.ts';
import * as errors from '../protocol/error-texts.ts';
import { parsePayload } from '../protocol/json.ts';
import { METHOD_REQUESTS, withoutNulls } from '../protocol/methods.ts';
import { isSkillName, SKILLS } from '../protocol/skills.ts';
import type { AcceptedAction, StoredAction } from './action-record.ts';
import { validate } from './input-problems.ts';
import { parametersKey } from './ledger.ts';

/**
 * Returns the action that a `runtime.tools_call` becomes when it is accepted, from its payload alone. It is for a page that goes
 * away while a call is open and before its runtime has answered. Null when the payload is not a valid call, or names no action
 * id, so that nobody can repeat it.
 * @param nowMs milliseconds since the epoch
 */
export function actionOfCall(payload: string, caller: Caller, nowMs: number): AcceptedAction | null {
  const parsed = parsePayload(payload);
  const request = parsed.ok
    ? validate(METHOD_REQUESTS['runtime.tools_call'], withoutNulls('runtime.tools_call', parsed.value))
    : null;
  if (!request?.ok) return null;
  const { name, options } = request.value;
  if (!isSkillName(name) || options?.action_id === undefined) return null;
  const checked = validate(SKILLS[name].input, request.value.input, 'input');
  if (!checked.ok) return null;
  const input: unknown = checked.value;
  return {
    actionId: options.action_id,
    kind: 'tool',
    name,
    input,
    caller,
    parametersKey: parametersKey('tool', name, input),
    startedAtMs: Math.round(nowMs),
  };
}

/**
 * Returns the end of an action whose runtime is gone. It was accepted and its end was not seen (promise P5: it does not run
 * again; P6: its end can be read).
 * @param nowMs when this was found out, milliseconds since the epoch
 */
export function interruptedAction({ startedAtMs, ...action }: AcceptedAction, nowMs: number): StoredAction {
  const finishedAtMs = Math.max(startedAtMs, Math.round(nowMs));
  return {
    ...action,
    status: 'failed',
    result: {
      status: 'failed',
      error: errors.interrupted(action.name, action.kind),
      meta: {
        action_id: action.actionId,
        started_at_ms: startedAtMs,
        finished_at_ms: finishedAtMs,
        duration_ms: finishedAtMs - startedAtMs,
      },
    },
  };
}
