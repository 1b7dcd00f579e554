import { z } from 'zod';
import { driverSchema } from './driver.ts';
import { droppedInState } from './dropped.ts';
import { emergencyReleaseSchema, latchedStateSchema } from './emergency-stop.ts';
import { runtimeErrorSchema } from './error-codes.ts';
import { poseSchema } from './geometry.ts';
import { ownerOrdersSchema } from './owner-order.ts';
import { timestampSchema } from './scene.ts';

export const progressSchema = z.object({ current: z.number(), total: z.number(), unit: z.string() });
export type Progress = z.infer<typeof progressSchema>;

export const ACTION_KINDS = ['tool', 'capture'] as const;

export const activeActionSchema = z.object({
  action_id: z.string(),
  kind: z.enum(ACTION_KINDS),
  name: z.string(),
  started_at_ms: z.int(),
  phase: z.string().describe('what it does now, in a word or two: "walking", "closing hands", "settling"'),
  progress: progressSchema.optional(),
});
export type ActiveAction = z.infer<typeof activeActionSchema>;

export const lastActionSchema = z.object({
  action_id: z.string(),
  kind: z.enum(ACTION_KINDS),
  name: z.string(),
  status: z.enum(['done', 'failed', 'cancelled']),
  started_at_ms: z.int(),
  finished_at_ms: z.int(),
  duration_ms: z.int(),
  error: runtimeErrorSchema.optional(),
});
export type LastAction = z.infer<typeof lastActionSchema>;

const headAnglesSchema = z
  .object({ yaw: z.number(), pitch: z.number() })
  .describe('radians; positive yaw left, positive pitch down');
const rangeSchema = z.tuple([z.number(), z.number()]);

const armPoseSchema = z
  .object({ r_arm: z.array(z.number()), l_arm: z.array(z.number()) })
  .describe('radians, five each: shoulder pitch, roll, yaw, elbow, wrist yaw');

/** The additions of the `rcw` profile: the permitted commander, the present velocity, and the state of the arms. */
export const controlStateSchema = z.object({
  signed_only: z.boolean().describe('whether calls that move the body are refused unless they are signed'),
  pose_packets: z.boolean().optional().describe('whether signed poses may come as packets too (topic `simplesim.poses`)'),
  emergency_stop: z.boolean().describe('whether the emergency stop is latched'),
  not_ready: runtimeErrorSchema
    .nullable()
    .describe('the error that a call which moves the body would get now; null while such calls are accepted'),
  telemetry_age_ms: z.int().nullable().describe('how old the last report of the body is; null before the first'),
  velocity_holds: z.boolean().describe('whether a velocity is commanded that continues without a further call'),
  velocity_ends_at_ms: z
    .int()
    .nullable()
    .describe('when it ends by the deadline of its call, milliseconds since the epoch; null: another command alone ends it'),
  velocity_ended_by_deadline: z
    .object({ action_id: z.string(), at_ms: z.int() })
    .nullable()
    .describe('the velocity that its deadline ended last, while no other has been commanded since'),
  stopped_by: z
    .object({ by: z.string(), at_ms: z.int() })
    .nullable()
    .describe(
      'who stopped the robot without a call: the button at its page, or the runtime itself, because no one could reach it; null once a velocity drives it again',
    ),
  upper_body: z.object({
    mode: z
      .enum(['policy', 'trajectory', 'damp'])
      .describe('who has the arms: locomotion, an open trajectory session, or none, and they are limp'),
    commanded: armPoseSchema.nullable().describe('the pose that was sent last; null while locomotion has the arms'),
    measured: armPoseSchema.describe('where the arms are'),
    packet_age_ms: z.int().nullable().describe('since the last packet of the open session; null without one'),
    timeout_ms: z.int(),
    timeouts: z.int().describe('how often the arms went limp for want of a packet'),
  }),
});
export type ControlState = z.infer<typeof controlStateSchema>;

export const robotExtraSchema = z.looseObject({
  command: z.object({ vx: z.number(), vy: z.number(), wz: z.number() }).describe('commanded velocity in the body frame'),
  nav: z.object({
    active: z.boolean(),
    goal: poseSchema.optional(),
    remaining_m: z.number().optional(),
  }),
  head: z.object({ target: headAnglesSchema, measured: headAnglesSchema, yaw_range: rangeSchema, pitch_range: rangeSchema }),
  joints: z.record(z.string(), z.number()).optional().describe('radians by joint name'),
  sort_benchmark: z.object({
    enabled: z.boolean(),
    correct_count: z.int(),
    wrong_count: z.int(),
    spoiled_count: z.int(),
    pallet_stack_counts: z.record(z.string(), z.int()),
    collect: z.boolean().describe('whether a right delivery is collected from its pallet'),
    collected_count: z.int().describe('how many of the correct ones have been collected'),
  }),
  dropped: droppedInState,
  driver: driverSchema
    .nullable()
    .optional()
    .describe('the one who drives: commands of others are NOT_CONTROLLER. Null: no one, and every caller commands'),
  owner_orders: ownerOrdersSchema
    .optional()
    .describe('what an order of the owner has to name, and what became of the last ones; the control service reads it'),
  emergency_stop: latchedStateSchema
    .nullable()
    .optional()
    .describe('who latched the emergency stop, when and why; null while it is released. While it is latched no command is taken'),
  emergency_release: emergencyReleaseSchema.optional().describe('the last release by a person at the page'),
  control: controlStateSchema.optional().describe('of the worker profile only'),
  sim: z.object({
    seed: z.number(),
    speed: z.number(),
    time: z
      .enum(['real', 'on_action'])
      .optional()
      .describe('`on_action`: time passes only while an action runs, and for a second after it'),
    real_time_factor: z.number(),
    hidden: z.boolean(),
    suspended_ms: z.int(),
  }),
});

export const runtimeStateSchema = z.object({
  timestamp: timestampSchema,
  runtime: z.object({
    status: z.enum(['ready', 'busy', 'error']),
    active_action: activeActionSchema.optional(),
    last_action: lastActionSchema.optional(),
    accepts_tool_calls: z.boolean(),
    accepts_capture_requests: z.boolean(),
  }),
  robot: z.object({
    entity_id: z.literal('robot'),
    pose: poseSchema,
    status: z.enum(['ready', 'moving', 'holding', 'fallen', 'error', 'unknown']),
    held_entity_ids: z.array(z.string()),
    extra: robotExtraSchema,
  }),
});
/** The reply of `runtime.state`: when, status, active and last action, the robot. SI units, radians. */
export type RuntimeState = z.infer<typeof runtimeStateSchema>;
