import { z } from 'zod';
import { boundedArray } from '../wire/bounded-array.ts';
import { PREDICATES_MAX } from './task-file.ts';

/** The verdict of a task's judge. Steps are those of the run, counted from its start. */

const step = z.int().min(0);

/** One predicate in its present state. */
const predicateReportSchema = z.strictObject({
  path: z.string().max(256).describe('its place in the task: `goal.of[1]`'),
  kind: z.string().max(32),
  holds: z.boolean(),
  since_step: step.nullable().describe('the step after which it began to hold; null while it does not'),
  share: z.number().min(0).max(1).describe('how much of it is reached'),
  subjects: boundedArray(z.string().max(64), 8).describe('things for which it holds; of those that name none, nothing'),
});
export type PredicateReport = z.infer<typeof predicateReportSchema>;

const VERDICT_REASONS = ['goal_reached', 'never_happened', 'too_many_calls', 'time_over', 'not_reached'] as const;

export const verdictSchema = z.strictObject({
  outcome: z.enum(['passed', 'failed']),
  reason: z
    .enum(VERDICT_REASONS)
    .describe('`never_happened`: something happened that never must; `not_reached`: the run ended before'),
  at_step: step.describe('the step after which it was decided'),
  path: z.string().max(256).optional().describe('of what must never happen: the predicate'),
  share: z.number().min(0).max(1).describe('how much of the goal was reached'),
  credit: z
    .number()
    .min(0)
    .max(1)
    .describe('1 when passed; otherwise what the subgoals that were reached are worth, or the share'),
  calls: z.int().min(0).describe('actions that the robot began'),
  simulated_s: z.number().min(0),
  predicates: boundedArray(predicateReportSchema, PREDICATES_MAX).describe(
    'each predicate of the task as it stood when it was decided',
  ),
  subgoals: boundedArray(z.strictObject({ title: z.string().max(80), credit: z.number(), reached_at_step: step.nullable() }), 16),
});
export type Verdict = z.infer<typeof verdictSchema>;
