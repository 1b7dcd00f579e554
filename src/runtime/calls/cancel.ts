import * as errors from '../../protocol/texts/error-texts.ts';
import type { Caller } from '../../protocol/wire/caller.ts';
import { CANCEL_ACTIVE, METHOD_REQUESTS } from '../../protocol/wire/methods.ts';
import type { ActiveEntry } from '../action-entry.ts';
import * as actions from '../actions.ts';
import { onWall, type RuntimeCore } from '../core.ts';
import { validate } from '../input-problems.ts';
import * as ledger from '../ledger.ts';
import { noteCancel } from '../repeated-cancels.ts';
import { encodeGuard, encodeReply } from '../reply.ts';
import type { Call, Reply } from '../runtime-call.ts';
import { awaitEnd } from '../waiting-calls.ts';

/**
 * `runtime.cancel`: answers with the result of the cancelled action once it has come to rest (promise P7). A stop is waited for,
 * not ended.
 */
export function cancel(core: RuntimeCore, call: Call, reply: Reply): void {
  const request = validate(METHOD_REQUESTS['runtime.cancel'], call.payload);
  if (!request.ok) {
    reply(encodeGuard(request.error));
    return;
  }
  const { action_id: actionId } = request.value.options;
  if (actionId === CANCEL_ACTIVE) {
    cancelActive(core, call.caller, reply);
    return;
  }
  const entry = core.ledger.active.get(actionId);
  if (entry) {
    cancelOne(core, entry, call.caller, reply);
    return;
  }
  const ended = ledger.endedById(core.ledger, actionId);
  // A cancel whose reply was lost may be repeated and gets the same answer.
  if (ended?.status === 'cancelled') {
    reply(encodeReply(ended.result));
    return;
  }
  reply(encodeGuard(ended ? errors.actionAlreadyEnded(actionId, ended.status) : errors.actionNotFound(actionId)));
}

function cancelActive(core: RuntimeCore, by: Caller, reply: Reply): void {
  const first = ledger.primary(core.ledger);
  if (!first) {
    reply(encodeGuard(errors.nothingActive()));
    return;
  }
  const others = [...core.ledger.active.values()].filter(
    (entry) => entry !== first && entry.kind === 'tool' && !ledger.isStop(entry),
  );
  cancelOne(core, first, by, reply);
  for (const entry of others) requestStop(core, entry, by);
}

function cancelOne(core: RuntimeCore, entry: ActiveEntry, by: Caller, reply: Reply): void {
  awaitEnd(entry, by, reply);
  if (!ledger.isStop(entry)) requestStop(core, entry, by);
}

function requestStop(core: RuntimeCore, entry: ActiveEntry, by: Caller): void {
  if (entry.stage.kind !== 'stopping') {
    const cancelled = { actionId: entry.actionId, name: entry.name, by, atMs: onWall(core, core.nowMs) };
    core.outbox.push(() => core.deps.onCancelled?.(cancelled));
    noteCancel(core, entry, by);
  }
  actions.requestStop(core, entry, errors.cancelled(by));
}
