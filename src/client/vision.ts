import type { CaptureFrame, captureResultSchema } from '../protocol/wire/captures.ts';

/** The reply to a capture, in the shape of its schema. */
type CaptureResult = ReturnType<typeof captureResultSchema.parse>;

/** Options of a picture. */
export interface VisionOptions {
  /** Pixels, 16…1920. @default 1280 */
  width?: number | undefined;
  /** Pixels, 16…1080. @default 720 */
  height?: number | undefined;
  /** JPEG quality, in (0, 1]. @default 0.7 */
  quality?: number | undefined;
  /** `['boxes']` adds the visible entities with their 2D boxes. */
  annotations?: readonly 'boxes'[] | undefined;
}

/** A picture and the state of the world in which it was taken (promise P14). */
export interface Vision {
  /** The camera that took the picture. */
  camera: string;
  /** The picture, a complete JPEG file. */
  jpeg: Uint8Array;
  /** Step and time, size, intrinsics in pixels, and the pose of the optical frame in the world (x right, y down, z forward). */
  frame: CaptureFrame;
  /** The visible entities, if `boxes` were requested: each box is `[x, y, width, height]` in pixels, each depth in metres. */
  entities?: NonNullable<CaptureResult['entities']>;
  /**
   * The check that the bytes passed. `length`: the sender gave no hash, or this page (not served securely) cannot compute one.
   */
  verified: 'sha256' | 'length';
}
