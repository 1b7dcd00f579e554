import { z } from 'zod';
import { actionIdSchema, callOptionsSchema } from './action.ts';
import { captureRequestSchema } from './captures.ts';
import { entityKindSchema } from './scene.ts';

export const METHOD_PREFIX = 'runtime.';
/** The method id that `runtime.cancel` understands as "whatever is active". */
export const CANCEL_ACTIVE = 'cancel-active';

/** Requests of every method (wire.md section 3). A runtime without signed control registers `forward_envelope` to refuse it in a sentence. */
export const METHOD_REQUESTS = {
  'runtime.tools_list': z.looseObject({}),
  'runtime.tools_call': z.strictObject({
    name: z.string().min(1).max(64),
    input: z.record(z.string(), z.unknown()).default({}),
    options: callOptionsSchema.optional(),
  }),
  'runtime.cancel': z.strictObject({
    options: z.strictObject({ action_id: actionIdSchema }).default({ action_id: CANCEL_ACTIVE }),
  }),
  'runtime.state': z.looseObject({}),
  'runtime.scene_state': z.strictObject({
    entity_ids: z.array(z.string().min(1).max(64)).max(256).optional(),
    visible: z.boolean().optional(),
    kinds: z.array(entityKindSchema).optional(),
  }),
  'runtime.scene_layout': z.looseObject({}),
  'runtime.manifest': z.looseObject({}),
  'runtime.capabilities': z.looseObject({}),
  'runtime.action': z.strictObject({ action_id: actionIdSchema.optional() }),
  'runtime.cameras_capture': captureRequestSchema,
  'runtime.forward_envelope': z.looseObject({}),
} as const;

export type MethodName = keyof typeof METHOD_REQUESTS;
export const METHOD_NAMES = Object.keys(METHOD_REQUESTS) as MethodName[];
export const isMethodName = (name: string): name is MethodName => Object.hasOwn(METHOD_REQUESTS, name);
export type MethodRequest<M extends MethodName> = z.output<(typeof METHOD_REQUESTS)[M]>;
