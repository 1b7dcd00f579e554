import * as errors from '../protocol/texts/error-texts.ts';
import { type Caller, unsignedCaller } from '../protocol/wire/caller.ts';
import { fitsRpc, parsePayload } from '../protocol/wire/json.ts';
import { isMethodName, METHOD_NAMES, withoutNulls } from '../protocol/wire/methods.ts';
import type { RuntimeCore } from './core.ts';
import * as lease from './lease.ts';
import { encodeGuard } from './reply.ts';
import type { Reply, RuntimeCall } from './runtime-call.ts';

/** Serves one call. The answer is a reply or a guard for any payload, never an exception. */
export function serve(core: RuntimeCore, call: RuntimeCall, reply: Reply): void {
  const { method, payload } = call;
  const caller = callerOf(call);
  // A carrier's name must not be attributed to the call of another participant.
  const isOwn = caller.kind !== 'holder' || caller.holder === caller.carrier;
  const asked = { caller, callerName: (isOwn && call.callerName) || null, isSigned: call.signedBy !== undefined };
  lease.hear(core, asked.caller);
  if (!isMethodName(method)) {
    reply(encodeGuard(errors.unknownMethod(method, METHOD_NAMES)));
    return;
  }
  if (!fitsRpc(payload)) {
    reply(encodeGuard(errors.requestTooLarge(payload)));
    return;
  }
  const parsed = parsePayload(payload);
  if (!parsed.ok) {
    const gate = core.contract.gateUnreadable(core, method, asked, payload);
    reply(encodeGuard(gate ?? errors.invalidInput(parsed.reason)));
    return;
  }
  core.contract.handlers[method](core, { ...asked, payload: withoutNulls(method, parsed.value) }, reply);
}

/** Returns the caller: for a signed call its signer, regardless of the carrier. The page signs only for itself. */
export function callerOf({ callerIdentity, signedBy, mark }: RuntimeCall): Caller {
  if (signedBy && callerIdentity !== null) return { kind: 'holder', ...signedBy, carrier: callerIdentity };
  return unsignedCaller(callerIdentity, mark);
}
