import { z } from 'zod';
import { actionIdSchema, callOptionsSchema } from './action.ts';
import { boundedArray } from './bounded-array.ts';
import { captureRequestSchema } from './captures.ts';
import { controlRequestSchema } from './driver.ts';
import { emergencyStopRequestSchema } from './emergency-stop.ts';
import { ENTITY_KINDS, entityKindSchema } from './entity-kind.ts';
import { ENTITY_IDS_MAX } from './limits.ts';
import { openObject } from './open-object.ts';

export const METHOD_PREFIX = 'runtime.';
/** The method id that `runtime.cancel` understands as "the active action". */
export const CANCEL_ACTIVE = 'cancel-active';

/**
 * Requests of every method. A runtime without signed control registers `forward_envelope` in order to reject it with a sentence.
 */
export const METHOD_REQUESTS = {
  'runtime.tools_list': z.looseObject({}),
  'runtime.tools_call': z.strictObject({
    name: z.string().min(1).max(64),
    input: openObject().default({}),
    options: callOptionsSchema.optional(),
  }),
  'runtime.cancel': z.strictObject({
    options: z.strictObject({ action_id: actionIdSchema }).default({ action_id: CANCEL_ACTIVE }),
  }),
  'runtime.emergency_stop': emergencyStopRequestSchema,
  'runtime.control': controlRequestSchema,
  'runtime.state': z.looseObject({}),
  'runtime.scene_state': z.strictObject({
    entity_ids: boundedArray(z.string().min(1).max(64), ENTITY_IDS_MAX).optional(),
    visible: z.boolean().optional(),
    kinds: boundedArray(entityKindSchema, ENTITY_KINDS.length).optional(),
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

/**
 * Returns a request without its null fields, because some clients send null for a value that they do not have. Only optional
 * fields that the method knows are left out. An unknown field stays and is rejected by its name. The input of a skill is left to
 * the skill.
 */
export const withoutNulls = (method: MethodName, request: unknown): unknown => leaveOutNulls(METHOD_REQUESTS[method], request);

function leaveOutNulls(schema: z.ZodType, value: unknown): unknown {
  const shape = shapeOf(schema);
  if (shape === null || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = value as Record<string, unknown>;
  let kept = given;
  for (const [name, field] of Object.entries(shape)) {
    if (!Object.hasOwn(given, name)) continue;
    const inner = given[name];
    const left = inner === null ? inner : leaveOutNulls(field, inner);
    const isNothing = inner === null && field.safeParse(undefined).success;
    if (left === inner && !isNothing) continue;
    // Copies only if the request has null fields: most requests have none.
    if (kept === given) kept = { ...given };
    if (isNothing) delete kept[name];
    else kept[name] = left;
  }
  return kept;
}

/** Returns the fields of an object schema, also if the object is optional. */
function shapeOf(schema: z.ZodType): Record<string, z.ZodType> | null {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return shapeOf(schema.unwrap() as z.ZodType);
  }
  return null;
}
