import { z } from 'zod';
import { type RuntimeError, runtimeErrorSchema } from './error-codes.ts';
import { ACTION_ID_MAX_LENGTH, DEADLINE_MAX_S } from './limits.ts';

export const actionIdSchema = z
  .string()
  .min(1)
  .max(ACTION_ID_MAX_LENGTH)
  .describe('chosen by the caller; repeating a call with the same id never runs it twice');

/** Options a tool call may carry. */
export const callOptionsSchema = z.strictObject({
  action_id: actionIdSchema.optional(),
  deadline_s: z
    .number()
    .positive()
    .max(DEADLINE_MAX_S)
    .optional()
    .describe('the runtime stops the action itself after this many seconds'),
});
export type CallOptions = z.infer<typeof callOptionsSchema>;

/** Times are integers, milliseconds since the epoch. */
export const actionMetaSchema = z.object({
  action_id: z.string(),
  started_at_ms: z.int(),
  finished_at_ms: z.int(),
  duration_ms: z.int(),
  degraded: z.boolean().optional(),
  note: z.string().optional(),
});
export type ActionMeta = z.infer<typeof actionMetaSchema>;

/** The terminal answer of an action. `error` is there exactly when `status` is `failed`. */
export const actionResultSchema = z.object({
  status: z.enum(['done', 'failed']),
  result: z.record(z.string(), z.unknown()).optional(),
  error: runtimeErrorSchema.optional(),
  meta: actionMetaSchema,
  runtime_state: z.unknown().optional(),
  scene_state: z.unknown().optional(),
});
export type ActionResult = z.infer<typeof actionResultSchema>;

/** The answer to a call that did not become an action: no `meta`. */
export const guardSchema = z.object({ status: z.literal('failed'), error: runtimeErrorSchema });
export type Guard = z.infer<typeof guardSchema>;

export const guard = (error: RuntimeError): Guard => ({ status: 'failed', error });

export const EVENT_PHASES = ['accepted', 'running', 'done', 'failed', 'cancelled'] as const;
export const runtimeEventSchema = z.object({
  action_id: z.string(),
  phase: z.enum(EVENT_PHASES),
  at_ms: z.int(),
  result: actionResultSchema.optional(),
});
export type RuntimeEvent = z.infer<typeof runtimeEventSchema>;
