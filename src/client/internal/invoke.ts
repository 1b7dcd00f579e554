import { commandKind } from '../../protocol/command-kinds.ts';
import type { ActiveAction } from '../../protocol/state.ts';
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
  /** Is told what the action does now, again and again. */
  onActive?: ((active: ActiveAction) => void) | undefined;
}

type Outcome = { kind: 'reply'; reply: unknown } | { kind: 'failure'; failure: CallFailure } | Knowledge;

const PAUSE_MS = 250;

/**
 * Runs a skill once and gives its end, whatever gets lost on the way. While the reply is outstanding the runtime is asked about the
 * action (`runtime.action`), so a lost reply is found again; a call that may not have arrived is put again with the same `action_id`,
 * which joins the running action or brings the stored result (promise P5). A runtime that keeps no such record is never asked twice.
 * To a robot that holds what it is told, nothing is sent again once a later command was made that it would undo: a lost velocity must not
 * follow a stop. A stop is sent again until it is answered, whatever came later.
 * @throws RcwRuntimeError when the call did not become an action, `CANCELLED` when it got lost and a later one was made; TimeoutError, after which the action may still run; the signal's
 * reason, which leaves the action running too
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
  // Asked before anything begins that is waited for: what nobody waits for any more would end the program by its failure.
  const leftMs = () => {
    const left = deadlineMs - performance.now();
    if (left <= 0) throw late();
    return left;
  };
  let identity = link.requireRuntime();
  const kind = commandKind(skill, request.params);
  const place = link.countCommand(kind);
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
    // Whether it arrived is not known. Nothing is sent again before the runtime has said what it knows, but a stop: twice does no harm.
    const isUrgent = kind === 'stop' && link.holds(identity);
    if (isUrgent) await sleep(Math.min(PAUSE_MS, leftMs()), signal);
    for (let settled = outcome.kind === 'unheard'; !settled; ) {
      identity = await link.runtimeWithin(leftMs(), late().message, signal, actionId);
      if (isUrgent) break;
      const known = await lookUp(link, actionId, Math.min(LOOK_UP_REPLY_MS, leftMs()), signal);
      if (known.kind === 'ended') return readActionResult(known.reply, actionId);
      if (known.kind === 'mute') throw late();
      settled = known.kind === 'unheard' || (known.kind === 'running' && !isOvertaken());
      if (!settled) await sleep(Math.min(PAUSE_MS, leftMs()), signal);
    }
    if (isOvertaken()) throw overtaken(skill, actionId);
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
    `${skill} (action ${actionId}) got lost, and was not sent again, for a later command was made meanwhile. The robot had not heard of it when it was asked; read the state if that matters.`,
    { stage: 'control', action_id: actionId, attempted: true, world_changed: 'unknown', retryable: false, reason: 'overtaken' },
  );

/** A refusal that says nothing about what became of an earlier call: the runtime is coming back. */
const isPassing = (reply: unknown): boolean => ['NOT_READY', 'RUNTIME_SUSPENDED'].includes(guardCode(reply) ?? '');
