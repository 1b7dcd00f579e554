import { commandKind } from '../../protocol/wire/command-kinds.ts';
import type { ActiveAction } from '../../protocol/wire/state.ts';
import { judgeLoss } from '../../remote-robot/judge-loss.ts';
import type { ActionResult } from '../action-result.ts';
import { RcwRuntimeError, TimeoutError } from '../errors.ts';
import { type Knowledge, LOOK_UP_REPLY_MS, lookUp, watch } from './look-up.ts';
import { encodePayload, refusalOf, refuseJsonText } from './payload.ts';
import { guardCode, readActionResult } from './read-result.ts';
import type { RoomLink } from './room-link.ts';
import { CallFailure } from './transport/call-failure.ts';
import { sleep, within } from './wait.ts';

export interface SkillRequest {
  skill: string;
  params: Readonly<Record<string, unknown>>;
  actionId: string;
  deadlineS?: number | undefined;
}

interface SurelyOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Receives the current activity of the action, repeatedly. */
  onActive?: ((active: ActiveAction) => void) | undefined;
}

type Outcome = { kind: 'reply'; reply: unknown } | { kind: 'failure'; failure: CallFailure } | Knowledge;

const PAUSE_MS = 250;

/**
 * Runs a skill once and returns its end, also if messages get lost. While the reply is outstanding, the client asks the runtime
 * about the action (`runtime.action`), so a lost reply is recovered. A call that may not have arrived is sent again with the same
 * `action_id`: it joins the running action or returns the stored result (promise P5). To a runtime that keeps no such record, the
 * call is sent only once. Some robots keep a command until the next one. To these, a call is not sent again after a later command
 * that it would undo: a lost velocity must not follow a stop. A stop is sent again until it is answered, regardless of later
 * commands.
 * @throws RcwRuntimeError when the call did not become an action, `CANCELLED` when it got lost and a later one was made;
 * TimeoutError, after which the action may still run; the signal's reason, which leaves the action running too
 */
export async function invokeSurely(
  link: RoomLink,
  request: SkillRequest,
  { timeoutMs, signal, onActive }: SurelyOptions,
): Promise<ActionResult> {
  const { skill, actionId, deadlineS } = request;
  refuseJsonText(request.params, `The input of ${skill}`);
  const payload = {
    name: skill,
    input: request.params,
    options: { action_id: actionId, ...(deadlineS === undefined ? {} : { deadline_s: deadlineS }) },
  };
  encodePayload(payload);
  const deadlineMs = performance.now() + timeoutMs;
  const late = () =>
    new TimeoutError(
      `${skill} (action ${actionId}) has not ended after ${timeoutMs / 1_000} s. It may still run on the robot: ask getAction for its end, or cancel it.`,
      actionId,
    );
  // Checked before any promise starts: a promise that no caller awaits would end the program if it rejected.
  const leftMs = () => {
    const left = deadlineMs - performance.now();
    if (left <= 0) throw late();
    return left;
  };
  const kind = commandKind(skill, request.params);
  // Also a stop that finds no runtime forbids that an earlier command follows it.
  const stopPlace = kind === 'stop' ? link.countCommand(kind) : null;
  let identity = link.requireRuntime();
  const place = stopPlace ?? link.countCommand(kind);
  const isOvertaken = () => link.isOvertaken(kind, place, identity);
  for (let attempt = 1; ; attempt += 1) {
    const watching = new AbortController();
    const stop = signal ? AbortSignal.any([signal, watching.signal]) : watching.signal;
    const forMs = leftMs();
    const outcome = await within(
      Promise.race([send(link, identity, payload, forMs, signal), watch(link, actionId, stop, onActive)]),
      forMs,
      late().message,
      signal,
      actionId,
    ).finally(() => watching.abort());
    if (outcome.kind === 'ended') return readActionResult(outcome.reply, actionId);
    if (outcome.kind === 'reply' && !(attempt > 1 && isPassing(outcome.reply))) return readActionResult(outcome.reply, actionId);
    if (outcome.kind === 'failure') {
      const { failure } = outcome;
      if (failure.reason !== 'lost' && failure.reason !== 'absent') throw refusalOf(failure, 'runtime.tools_call');
    }
    // It is unknown whether the call arrived.
    const isHeldStop = kind === 'stop' && link.holds(identity);
    if (isHeldStop) await sleep(Math.min(PAUSE_MS, leftMs()), signal);
    let next = judgeLoss(outcome.kind === 'unheard' ? 'unheard' : null, { isOvertaken: isOvertaken(), isHeldStop });
    if (isHeldStop) identity = await link.runtimeWithin(leftMs(), late().message, signal, actionId);
    while (next === 'ask') {
      identity = await link.runtimeWithin(leftMs(), late().message, signal, actionId);
      const known = await lookUp(link, actionId, Math.min(LOOK_UP_REPLY_MS, leftMs()), signal);
      if (known.kind === 'ended') return readActionResult(known.reply, actionId);
      next = judgeLoss(known.kind, { isOvertaken: isOvertaken(), isHeldStop: false });
      if (next === 'ask') await sleep(Math.min(PAUSE_MS, leftMs()), signal);
    }
    if (next === 'give-up') throw late();
    if (next === 'overtaken') throw overtaken(skill, actionId);
  }
}

async function send(
  link: RoomLink,
  to: string,
  payload: Readonly<Record<string, unknown>>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Outcome> {
  try {
    return { kind: 'reply', reply: await link.command(to, 'runtime.tools_call', payload, timeoutMs, signal) };
  } catch (failure) {
    if (failure instanceof CallFailure) return { kind: 'failure', failure };
    throw failure;
  }
}

const overtaken = (skill: string, actionId: string): RcwRuntimeError =>
  new RcwRuntimeError(
    'CANCELLED',
    `${skill} (action ${actionId}) got lost, and was not sent again because a later command was made meanwhile. The robot did not know it when it was asked; read the state if that matters.`,
    { stage: 'control', action_id: actionId, attempted: true, world_changed: 'unknown', retryable: false, reason: 'overtaken' },
  );

/** Whether a refusal leaves the outcome of an earlier call open, because the runtime is just coming back. */
const isPassing = (reply: unknown): boolean => ['NOT_READY', 'RUNTIME_SUSPENDED'].includes(guardCode(reply) ?? '');
