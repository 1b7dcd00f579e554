/**
 * The fields that existing clients read from a runtime's replies, and those that they send with a capture. Such a client rejects
 * a whole reply when one field has another type, so the types are exact: a field is present and never null unless it is `nullish`
 * here. Further fields are ignored. The answers of our own runtimes (`state.ts`, `scene.ts`, `action.ts`, `skills.ts`,
 * `captures.ts`) are narrower; a test proves that every value of those is a value of these.
 */
import { z } from 'zod';

const three = z.tuple([z.number(), z.number(), z.number()]);
const four = z.tuple([z.number(), z.number(), z.number(), z.number()]);

export const clientTimestampSchema = z.looseObject({
  step: z.int().nullish(),
  sim_time_s: z.number().nullish(),
  wall_time_ms: z.int(),
});

export const clientPoseSchema = z.looseObject({
  frame_id: z.string(),
  position: three,
  orientation_xyzw: four.nullish(),
  yaw_deg: z.number().nullish(),
});

// ── Skills ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const clientSkillDescriptorSchema = z.looseObject({
  name: z.string(),
  title: z.string().nullish(),
  description: z.string(),
  input_schema: z.looseObject({}),
  output_schema: z.looseObject({}).nullish(),
  annotations: z
    .looseObject({
      mutating: z.boolean().nullish(),
      expensive: z.boolean().nullish(),
      allowed_mid_action: z.boolean().nullish(),
      tags: z.array(z.string()).nullish(),
      uses: z
        .looseObject({
          cameras: z.array(z.string()).nullish(),
          sensors: z.array(z.string()).nullish(),
          tools: z.array(z.string()).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  cost: z
    .looseObject({
      estimated_ms: z.int().nullish(),
      recommended_min_interval_ms: z.int().nullish(),
      may_block_runtime: z.boolean().nullish(),
      cpu_heavy: z.boolean().nullish(),
      gpu_heavy: z.boolean().nullish(),
      large_payload: z.boolean().nullish(),
      supports_mid_action: z.boolean().nullish(),
    })
    .nullish(),
});

// ── State ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const clientRuntimeErrorSchema = z.looseObject({ code: z.string(), message: z.string(), details: z.unknown().optional() });

const actionFacts = {
  action_id: z.string(),
  kind: z.enum(['tool', 'capture', 'sensor', 'snapshot', 'reset']),
  name: z.string(),
  started_at_ms: z.int(),
};

export const clientActiveActionSchema = z.looseObject({
  ...actionFacts,
  phase: z.string().nullish(),
  progress: z.looseObject({ current: z.number().nullish(), total: z.number().nullish(), unit: z.string().nullish() }).nullish(),
});

export const clientLastActionSchema = z.looseObject({
  ...actionFacts,
  status: z.enum(['done', 'failed', 'cancelled']),
  finished_at_ms: z.int(),
  duration_ms: z.int(),
  error: clientRuntimeErrorSchema.nullish(),
});

export const clientRuntimeStateSchema = z.looseObject({
  timestamp: clientTimestampSchema,
  runtime: z.looseObject({
    status: z.enum(['ready', 'busy', 'error']),
    active_action: clientActiveActionSchema.nullish(),
    last_action: clientLastActionSchema.nullish(),
    accepts_tool_calls: z.boolean(),
    accepts_capture_requests: z.boolean(),
  }),
  robot: z.looseObject({
    entity_id: z.string(),
    pose: clientPoseSchema.nullish(),
    status: z.enum(['ready', 'moving', 'holding', 'fallen', 'error', 'unknown']),
    held_entity_ids: z.array(z.string()).nullish(),
    extra: z.looseObject({}).nullish(),
  }),
});

// ── Scene ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const clientSceneStateSchema = z.looseObject({
  timestamp: clientTimestampSchema,
  entities: z.record(
    z.string(),
    z.looseObject({
      entity_id: z.string(),
      pose: clientPoseSchema.nullish(),
      attached_to: z.string().nullish(),
      visible: z.boolean().nullish(),
      state: z.looseObject({}).nullish(),
    }),
  ),
});

export const clientSceneLayoutSchema = z.looseObject({
  scene_id: z.string(),
  bounds: z.looseObject({ min: three, max: three }),
  obstacles: z.array(
    z.looseObject({
      kind: z.literal('box'),
      pose: z.looseObject({ position: three, yaw_deg: z.number().nullish() }),
      size: three,
    }),
  ),
  pads: z.array(
    z.looseObject({
      pad_id: z.string(),
      position: three,
      size: three,
      color: z.string().nullish(),
      role: z.enum(['source', 'destination']),
    }),
  ),
  slots: z.array(z.looseObject({ pad_id: z.string(), index: z.int(), position: three })),
  spawn: clientPoseSchema,
});

// ── Results ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const clientActionResultSchema = z.looseObject({
  status: z.enum(['done', 'failed']),
  result: z.unknown().optional(),
  error: clientRuntimeErrorSchema.nullish(),
  meta: z.looseObject({
    action_id: z.string(),
    started_at_ms: z.int(),
    finished_at_ms: z.int(),
    duration_ms: z.int(),
    degraded: z.boolean().nullish(),
    note: z.string().nullish(),
  }),
  runtime_state: clientRuntimeStateSchema.nullish(),
  scene_state: clientSceneStateSchema.nullish(),
});

/** The answer to a call that did not become an action. */
export const clientGuardSchema = z.looseObject({ status: z.literal('failed'), error: clientRuntimeErrorSchema });

/** The `result` of a capture that is done. */
export const clientCaptureSchema = z.looseObject({
  payload: z.looseObject({
    kind: z.literal('byte_stream'),
    stream_id: z.string(),
    topic: z.string(),
    byte_length: z.int(),
  }),
  frame: z.looseObject({
    step: z.int(),
    sim_time_s: z.number(),
    width: z.int(),
    height: z.int(),
    intrinsics: z.looseObject({ fx: z.number(), fy: z.number(), cx: z.number(), cy: z.number() }),
    camera_pose: clientPoseSchema,
  }),
  entities: z
    .array(z.looseObject({ entity_id: z.string(), box: four, visible_fraction: z.number(), depth_m: z.number() }))
    .nullish(),
});

// ── Requests: existing clients send these fields and no others, and every value within the limits is accepted ────────────────

export const clientCaptureOptionsSchema = z.strictObject({
  width: z.int().nullish(),
  height: z.int().nullish(),
  format: z.literal('jpeg').nullish(),
  quality: z.number().nullish(),
});
