import { z } from 'zod';
import { type RuntimeError, runtimeErrorSchema } from './error-codes.ts';
import { withFacts } from './field-facts.ts';
import { ACTION_ID_MAX_LENGTH, DEADLINE_MAX_S } from './limits.ts';

export const actionIdSchema = z
  .string()
  .min(1)
  .max(ACTION_ID_MAX_LENGTH)
  .describe('chosen by the caller; repeating a call with the same id never runs it twice');

/** Options a tool call may carry. */
export const callOptionsSchema = z.strictObject({
  action_id: actionIdSchema.optional(),
  deadline_s: withFacts(
    z.number().positive().max(DEADLINE_MAX_S).optional().describe('the runtime stops the action itself after this many seconds'),
    { unit: 's' },
  ),
});
export type CallOptions = z.infer<typeof callOptionsSchema>;

/** Times are integers, milliseconds since the epoch. */
export const actionMetaSchema = z.object({
  action_id: z.string().describe('the id of the action'),
  started_at_ms: z.int().describe('when it started, in ms since the epoch'),
  finished_at_ms: z.int().describe('when it ended, in ms since the epoch'),
  duration_ms: z.int().describe('how long it took, in ms'),
  degraded: z.boolean().optional().describe('whether it was carried out differently from what was asked; the result shows how'),
  note: z.string().optional().describe('a sentence on what a caller should know'),
});
export type ActionMeta = z.infer<typeof actionMetaSchema>;

/** The terminal answer of an action. `error` is present exactly when `status` is `failed`. */
export const actionResultSchema = z.object({
  status: z.enum(['done', 'failed']).describe('how it ended'),
  result: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('the result; docs/reference/skills.md describes the results of every skill'),
  error: runtimeErrorSchema.optional().describe('why it failed'),
  meta: actionMetaSchema.describe('which action it was, and when'),
  runtime_state: z.unknown().optional().describe('the state of the robot at the end, if the runtime adds it'),
  scene_state: z.unknown().optional().describe('the state of the scene at the end, if the runtime adds it'),
});
export type ActionResult = z.infer<typeof actionResultSchema>;

/** The answer to a call that did not become an action: no `meta`. */
export const guardSchema = z.object({
  status: z.literal('failed').describe('no action came of the call'),
  error: runtimeErrorSchema.describe('why not'),
});
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
