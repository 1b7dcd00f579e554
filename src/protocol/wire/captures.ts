import { z } from 'zod';
import { boundedArray } from './bounded-array.ts';
import { poseSchema, vec3Schema } from './geometry.ts';
import * as limits from './limits.ts';

/** Vertical, whatever the aspect of the picture: pixels are square, fx = fy. */
export const HEAD_CAMERA_FOV_DEG = 70;

/** Cameras that exist in every scene of the product, for the completion of a program's editor. */
export type CameraId = 'pov' | 'topdown';
/** The robot's own camera. All other cameras hang in the place and belong to the scene. */
export const HEAD_CAMERA_ID = 'pov' satisfies CameraId;

export const captureRequestSchema = z.strictObject({
  selector: z.strictObject({ kind: z.literal('id'), id: z.string().min(1).max(64) }),
  options: z
    .strictObject({
      width: z.int().min(limits.CAPTURE_MIN_PX).max(limits.CAPTURE_MAX_WIDTH_PX).default(limits.CAPTURE_DEFAULT_WIDTH_PX),
      height: z.int().min(limits.CAPTURE_MIN_PX).max(limits.CAPTURE_MAX_HEIGHT_PX).default(limits.CAPTURE_DEFAULT_HEIGHT_PX),
      format: z.literal('jpeg').default('jpeg'),
      quality: z.number().gt(0).max(1).default(limits.CAPTURE_DEFAULT_QUALITY),
      annotations: boundedArray(z.literal('boxes'), 1).default([]),
    })
    .prefault({}),
  stream: z
    .strictObject({ id: z.string().min(1).max(128), topic: z.string().min(1).max(128).default(limits.CAPTURE_TOPIC) })
    .optional(),
});
export type CaptureRequest = z.infer<typeof captureRequestSchema>;

/** Pinhole intrinsics in pixels; the image's origin is its upper left corner, pixel centres at half. */
export const intrinsicsSchema = z.object({ fx: z.number(), fy: z.number(), cx: z.number(), cy: z.number() });
export type Intrinsics = z.infer<typeof intrinsicsSchema>;

export const captureFrameSchema = z.object({
  step: z.int(),
  sim_time_s: z.number(),
  width: z.int(),
  height: z.int(),
  intrinsics: intrinsicsSchema,
  camera_pose: poseSchema.describe('of the optical frame in the world: x right, y down, z forward'),
});
/**
 * The frame of a picture: step and seconds of the simulation, size and intrinsics in pixels, and the pose of the camera in the
 * world.
 */
export type CaptureFrame = z.infer<typeof captureFrameSchema>;

export const capturedEntitySchema = z.object({
  entity_id: z.string(),
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]).describe('[x, y, width, height] in pixels'),
  visible_fraction: z.number().min(0).max(1),
  depth_m: z
    .number()
    .describe(
      'of its middle (of a pad its top, of the robot its base), along the optical axis; negative when that is behind the camera',
    ),
});

export const captureResultSchema = z.object({
  payload: z.object({ kind: z.literal('byte_stream'), stream_id: z.string(), topic: z.string(), byte_length: z.int() }),
  frame: captureFrameSchema,
  entities: z.array(capturedEntitySchema).optional(),
});
export type CaptureResult = z.infer<typeof captureResultSchema>;

/** Attributes of a capture's byte stream, all of them strings. */
export interface CaptureStreamAttributes extends Record<string, string> {
  request_id: string;
  width: string;
  height: string;
  camera: string;
  step: string;
  sim_time_s: string;
  byte_length: string;
  sha256: string;
}

/**
 * Intrinsics of a camera at a picture size. Pinhole model: f = (height / 2) / tan(fov / 2), principal point in the middle.
 * @param verticalFovDeg degrees
 */
export function intrinsicsFor(verticalFovDeg: number, widthPx: number, heightPx: number): Intrinsics {
  const focalPx = heightPx / 2 / Math.tan((verticalFovDeg * Math.PI) / 360);
  return { fx: focalPx, fy: focalPx, cx: widthPx / 2, cy: heightPx / 2 };
}

export const cameraInfoSchema = z.object({
  camera_id: z.string(),
  description: z.string(),
  vertical_fov_deg: z.number(),
  mount: z.enum(['head', 'world']),
  /** At the default size. */
  intrinsics: intrinsicsSchema,
  extrinsics: z.object({ parent: z.string(), position: vec3Schema, note: z.string() }),
});
