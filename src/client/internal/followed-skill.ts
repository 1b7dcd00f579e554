import { isRecord } from '../../common/schema-texts.ts';
import type { ActiveAction } from '../../protocol/wire/state.ts';
import type { ActionEvent, ActionFailed, ActionResult } from '../action-result.ts';
import { RcwRuntimeError, TimeoutError } from '../errors.ts';
import type { InvokeOptions } from '../session-options.ts';
import { cancelAbandoned } from './abandoned.ts';
import { ActionReporter } from './action-events.ts';
import { guardCallback } from './guard-callback.ts';
import { invokeSurely } from './invoke.ts';
import { invalidInput, requireOptions, requireString, wrongTimeout } from './payload.ts';
import { failedBy } from './read-result.ts';
import type { RoomLink } from './room-link.ts';
import type { SessionParts } from './session-parts.ts';
import { randomId } from './wait.ts';

type CallParts = Pick<SessionParts, 'callbacks' | 'logger' | 'callTimeoutMs'>;

/**
 * Runs a skill to its end, and reports the action's events to the callbacks of the session and of the call.
 * @param paramsOf returns the parameters, or throws the refusal of a wrong argument
 * @throws RcwRuntimeError when the call did not become an action; TimeoutError when the action has not ended in time; it may
 * still run
 */
export const runFollowed = (parts: CallParts, link: RoomLink, skill: string, paramsOf: () => object, options: InvokeOptions) =>
  follow(parts, link, skill, paramsOf, options, null);

/**
 * Does the same, but returns a refusal as a failed result. Its only event is the end, because the robot never accepted the
 * action.
 * @throws TimeoutError when the action has not ended in time; it may still run
 */
export const tryFollowed = (parts: CallParts, link: RoomLink, skill: string, paramsOf: () => object, options: InvokeOptions) =>
  follow(parts, link, skill, paramsOf, options, failedBy);

async function follow(
  { callbacks, logger, callTimeoutMs }: CallParts,
  link: RoomLink,
  skill: string,
  paramsOf: () => object,
  given: InvokeOptions,
  resultOf: ((refusal: RcwRuntimeError, actionId: string) => ActionFailed) | null,
): Promise<ActionResult> {
  // The refusal of wrong options is reported too.
  const options: InvokeOptions = isRecord(given) ? given : {};
  const { actionId: givenId } = options;
  // The refusal of a wrong id needs an id too.
  const actionId = typeof givenId === 'string' && givenId !== '' ? givenId : randomId('act');
  const onActionEvent = guardCallback(callbacks, 'onActionEvent', logger);
  const onEvent = guardCallback(options, 'onEvent', logger);
  const reporter = new ActionReporter(actionId, (event: ActionEvent) => {
    onActionEvent?.(event);
    onEvent?.(event);
  });
  const isFollowed = onActionEvent !== undefined || onEvent !== undefined;
  const { signal, deadlineS, timeoutMs = callTimeoutMs, cancelOnAbandon = false } = options;
  signal?.throwIfAborted();
  const onActive = isFollowed ? (active: ActiveAction) => reporter.active(active) : undefined;
  const report = (result: ActionResult): ActionResult => {
    guardCallback(callbacks, 'onActionResult', logger)?.(result);
    return result;
  };
  try {
    const params = paramsOf() as Readonly<Record<string, unknown>>;
    requireOptions(given, 'invoke(skill, params, { timeoutMs: … })');
    requireString(skill, 'The name of the skill');
    if (givenId !== undefined && givenId !== null) requireString(givenId, 'actionId');
    const wrong = wrongTimeout(timeoutMs);
    if (wrong !== null) throw invalidInput(wrong);
    const result = await invokeSurely(link, { skill, params, actionId, deadlineS }, { timeoutMs, signal, onActive });
    reporter.ended(result);
    return report(result);
  } catch (error) {
    if (cancelOnAbandon && (signal?.aborted || error instanceof TimeoutError)) await cancelAbandoned(link, actionId, logger);
    if (resultOf === null || !(error instanceof RcwRuntimeError)) throw error;
    const refused = resultOf(error, actionId);
    reporter.refused(refused);
    return report(refused);
  }
}
