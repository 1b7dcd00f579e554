import { METHOD_REQUESTS, type MethodName, type MethodRequest } from '../../protocol/wire/methods.ts';
import { layout } from '../../simulation/scene.ts';
import { action } from '../calls/action.ts';
import { capture } from '../calls/capture.ts';
import type { Handler, RuntimeCore } from '../core.ts';
import { validate } from '../input-problems.ts';
import { encodeGuard, encodeReply } from '../reply.ts';
import { capabilities, manifest } from './about.ts';
import { robotState } from './robot-state.ts';
import { encodeScene, sceneState } from './scene-state.ts';

/** Makes the handler of a method that only reads: checked request in, plain value out. */
function read<M extends MethodName>(method: M, look: (core: RuntimeCore, request: MethodRequest<M>) => unknown): Handler {
  return (core, { payload }, reply) => {
    const request = validate(METHOD_REQUESTS[method], payload);
    reply(request.ok ? encodeReply(look(core, request.value as MethodRequest<M>)) : encodeGuard(request.error));
  };
}

/** The methods that do not move the body. Every contract has them. */
export const READS = {
  'runtime.tools_list': read('runtime.tools_list', (core) => core.contract.skills(core)),
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
} satisfies Partial<Record<MethodName, Handler>>;
