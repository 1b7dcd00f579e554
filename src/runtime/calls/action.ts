import * as errors from '../../protocol/texts/error-texts.ts';
import { utf8Bytes } from '../../protocol/wire/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../protocol/wire/limits.ts';
import { METHOD_REQUESTS } from '../../protocol/wire/methods.ts';
import type { RuntimeCore } from '../core.ts';
import { validate } from '../input-problems.ts';
import * as ledger from '../ledger.ts';
import { encodeGuard, encodeReply } from '../reply.ts';
import type { Call, Reply } from '../runtime-call.ts';

/** `runtime.action`: one result by id (promise P6), or the last ones, newest first, as many as one reply carries. */
export function action(core: RuntimeCore, call: Call, reply: Reply): void {
  const request = validate(METHOD_REQUESTS['runtime.action'], call.payload);
  if (!request.ok) {
    reply(encodeGuard(request.error));
    return;
  }
  const { action_id: actionId } = request.value;
  if (actionId === undefined) {
    reply(lastResults(core));
    return;
  }
  const active = core.ledger.active.get(actionId);
  if (active) {
    reply(encodeReply({ status: 'running', active_action: ledger.activeView(active) }));
    return;
  }
  const ended = ledger.endedById(core.ledger, actionId);
  reply(ended ? encodeReply(ended.result) : encodeGuard(errors.actionNotFound(actionId)));
}

function lastResults(core: RuntimeCore): string {
  const items: string[] = [];
  // The two brackets; each item adds a comma.
  let bytes = 2;
  for (const { result, kind, name } of ledger.endedNewestFirst(core.ledger)) {
    const item = encodeReply({ ...result, kind, name });
    bytes += utf8Bytes(item) + 1;
    if (bytes > RPC_PAYLOAD_MAX_BYTES) break;
    items.push(item);
  }
  return `[${items.join(',')}]`;
}
