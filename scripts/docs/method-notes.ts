import type { z } from 'zod';
import { ENVELOPE_METHODS } from '../../src/protocol/signed/signed-claims.ts';
import { actionResultSchema } from '../../src/protocol/wire/action.ts';
import { captureResultSchema } from '../../src/protocol/wire/captures.ts';
import type { MethodName } from '../../src/protocol/wire/methods.ts';
import { BODY_SKILLS } from '../../src/protocol/wire/rcw-skills.ts';
import { sceneLayoutSchema, sceneStateSchema } from '../../src/protocol/wire/scene.ts';
import { skillDescriptorSchema } from '../../src/protocol/wire/skill-descriptors.ts';
import { runtimeStateSchema } from '../../src/protocol/wire/state.ts';

/** Describes a method, in addition to the fields of its request. */
interface MethodNote {
  purpose: string;
  /** Sentences about the request and the reply. */
  notes: string;
  /** The reply, if a schema describes it. */
  reply?: z.ZodType;
}

/** A note for every method. */
export const METHOD_NOTES: Readonly<Record<MethodName, MethodNote>> = {
  'runtime.tools_list': {
    purpose: 'Lists the skills.',
    notes:
      'Returns a list with one descriptor per skill. `annotations.body_parts` lists the body parts that the skill moves. `annotations.uses` has empty lists for every skill of this product. [skills.md](skills.md) has the schemas of the results, which the list leaves out.',
    reply: skillDescriptorSchema,
  },
  'runtime.tools_call': {
    purpose: 'Runs a skill and returns its result.',
    notes:
      'Returns when the action has ended. A call that did not become an action returns `{status: "failed", error}` without `meta`. `options.action_id` is a new id if it is absent.',
    reply: actionResultSchema,
  },
  'runtime.cancel': {
    purpose: 'Cancels an action and returns its result.',
    notes:
      'Returns the result of the cancelled action after the robot has stopped. `cancel-active` cancels every active skill and returns the result of the first. A running `stop` or `cancel` is not ended: the reply has its result. Without an active action, the reply is `ACTION_NOT_FOUND`.',
  },
  'runtime.emergency_stop': {
    purpose: 'Latches the emergency stop.',
    notes:
      'Returns when the robot stands: `{status: "done", result: {emergency_stop, stands, after_ms, held_entity_ids}, meta}`. If the robot still moves after 2 s, the reply is `NOT_AT_GOAL`. No mistake in the payload rejects a press.',
  },
  'runtime.control': {
    purpose: 'Takes, requests, gives, renews or releases the lease.',
    notes:
      'Returns at once: `{status: "done", result: {driver, you_drive, renew_within_ms}, meta}`. `driver` is null if no one drives.',
  },
  'runtime.state': {
    purpose: 'Reads the robot and the runtime.',
    notes: 'Returns the state now. `robot.extra` may have further fields.',
    reply: runtimeStateSchema,
  },
  'runtime.scene_state': {
    purpose: 'Reads the entities of the scene.',
    notes: 'Returns every entity, or only those that pass all given filters.',
    reply: sceneStateSchema,
  },
  'runtime.scene_layout': {
    purpose: 'Reads what does not move in the scene.',
    notes: 'Returns bounds, obstacles, pads, slots, regions and the start of the robot.',
    reply: sceneLayoutSchema,
  },
  'runtime.manifest': {
    purpose: 'Reads what the robot is.',
    notes:
      'Returns `product`, `version`, `protocol_version`, `sim_protocol` (the number of the behaviour of the simulation), `profile`, `robot_model` with its joints and their limits, `scene_id`, `scenes` and `methods`.',
  },
  'runtime.capabilities': {
    purpose: 'Reads what the robot can do besides its skills.',
    notes:
      'Returns `cameras`, `captures` (formats, sizes, and `available` with a `message` if no picture can be taken now), `limits`, `simulation` (steps, speeds, scenes) and `promises` (the ids of the promises that the robot keeps).',
  },
  'runtime.action': {
    purpose: 'Reads the result of one action, or the last results.',
    notes:
      'With an id, returns the result, or `{status: "running", active_action}`. Without an id, returns a list of the last results, newest first, as many as fit one reply. Each has `kind` and `name` in addition.',
  },
  'runtime.cameras_capture': {
    purpose: 'Takes a picture.',
    notes:
      'Sends the JPEG file as a byte stream to the caller, then returns its result. `selector.id` is a camera of `runtime.capabilities`. `stream` chooses the id and the topic of the byte stream. Its attributes are text: `request_id`, `width`, `height`, `camera`, `step`, `sim_time_s`, `byte_length` and `sha256`. The table shows the `result` of the reply, which has the form of `runtime.tools_call`.',
    reply: captureResultSchema,
  },
  'runtime.forward_envelope': {
    purpose: 'Runs a call in a signed envelope.',
    notes:
      'The request is `{envelope}`: the envelope in base64 with padding ([Signed control](../protocol.md#signed-control)). Returns the reply of the call inside, or an error of the envelope. The simulator returns `PERMISSION_DENIED`.',
  },
};

/** Returns when a method needs a signature on a robot that accepts only signed control. */
export function signatureOf(method: MethodName): string {
  if (method === 'runtime.tools_call') return `for ${BODY_SKILLS.map((skill) => `\`${skill}\``).join(', ')}`;
  return ENVELOPE_METHODS.some((name) => name === method) ? 'yes' : 'no';
}
