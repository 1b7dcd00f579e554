import { type Caller, unsignedCaller } from '../protocol/caller.ts';
import * as errors from '../protocol/error-texts.ts';
import { fitsRpc, parsePayload } from '../protocol/json.ts';
import {
  isMethodName,
  METHOD_NAMES,
  METHOD_REQUESTS,
  type MethodName,
  type MethodRequest,
  withoutNulls,
} from '../protocol/methods.ts';
import * as rcwTexts from '../protocol/rcw-texts.ts';
import { layout } from '../simulation/scene.ts';
import { action } from './calls/action.ts';
import { cancel } from './calls/cancel.ts';
import { capture } from './calls/capture.ts';
import { type Call, type Reply, toolsCall } from './calls/tools-call.ts';
import type { RuntimeCore } from './core.ts';
import { validate } from './input-problems.ts';
import * as rcw from './rcw/calls.ts';
import { capabilities, manifest, toolsList } from './reads/about.ts';
import { robotState } from './reads/robot-state.ts';
import { encodeScene, sceneState } from './reads/scene-state.ts';
import { encodeGuard, encodeReply } from './reply.ts';
import type { RuntimeCall } from './runtime.ts';

type Handler = (core: RuntimeCore, call: Call, reply: Reply) => void;

/** Makes the handler of a method that only reads: checked request in, plain value out. */
function read<M extends MethodName>(method: M, look: (core: RuntimeCore, request: MethodRequest<M>) => unknown): Handler {
  return (core, { payload }, reply) => {
    const request = validate(METHOD_REQUESTS[method], payload);
    reply(request.ok ? encodeReply(look(core, request.value as MethodRequest<M>)) : encodeGuard(request.error));
  };
}

const HANDLERS: Record<MethodName, Handler> = {
  'runtime.tools_list': read('runtime.tools_list', toolsList),
  'runtime.tools_call': toolsCall,
  'runtime.cancel': cancel,
  'runtime.state': read('runtime.state', (core) => robotState(core, core.nowMs)),
  'runtime.scene_state': (core, { payload }, reply) => {
    const request = validate(METHOD_REQUESTS['runtime.scene_state'], payload);
    reply(request.ok ? encodeScene(sceneState(core, core.nowMs, request.value)) : encodeGuard(request.error));
  },
  'runtime.scene_layout': read('runtime.scene_layout', (core) => layout(core.world)),
  'runtime.manifest': read('runtime.manifest', manifest),
  'runtime.capabilities': read('runtime.capabilities', capabilities),
  'runtime.action': action,
  'runtime.cameras_capture': capture,
  'runtime.forward_envelope': (_core, _call, reply) => reply(encodeGuard(errors.envelopeDenied())),
};

/** The physical robot's contract differs only in the calls that move the body. */
const RCW_HANDLERS: Record<MethodName, Handler> = {
  ...HANDLERS,
  'runtime.tools_call': rcw.toolsCall,
  'runtime.cancel': rcw.cancelCall,
  'runtime.forward_envelope': (_core, _call, reply) => reply(encodeGuard(rcwTexts.envelopesNotOpened())),
};

/** Serves one call. The answer is a reply or a guard for any payload, never an exception. */
export function serve(core: RuntimeCore, call: RuntimeCall, reply: Reply): void {
  const { method, payload } = call;
  const asked = { caller: callerOf(call), isSigned: call.signedBy !== undefined };
  const isRcw = core.profile === 'worker';
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
    const gate = isRcw && method === 'runtime.tools_call' ? rcw.gateUnreadable(core, asked, payload) : null;
    reply(encodeGuard(gate ?? errors.invalidInput(parsed.reason)));
    return;
  }
  const handlers = isRcw ? RCW_HANDLERS : HANDLERS;
  handlers[method](core, { ...asked, payload: withoutNulls(method, parsed.value) }, reply);
}

/** Returns the caller: the signer of a signed call, whoever carried it. The page signs only for itself. */
function callerOf({ callerIdentity, signedBy, hand }: RuntimeCall): Caller {
  if (signedBy && callerIdentity !== null) return { kind: 'holder', ...signedBy, carrier: callerIdentity };
  return unsignedCaller(callerIdentity, hand);
}
