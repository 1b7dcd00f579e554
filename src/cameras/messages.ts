import type { ScenePlace } from '../protocol/wire/place.ts';
import type { RenderState } from '../protocol/wire/render-state.ts';

/** The order for one picture: plain data, because it crosses to the worker by structured clone. */
export interface CaptureOrder {
  renderState: RenderState;
  camera: string;
  widthPx: number;
  heightPx: number;
  /** JPEG quality in (0, 1]. */
  quality: number;
  /** Extra results; each needs draw passes of its own. */
  annotations: readonly 'boxes'[];
}

/** An entity that the picture shows. */
export interface CapturedEntity {
  entity_id: string;
  /** [x, y, width, height] of its visible pixels. */
  box: [number, number, number, number];
  /** Visible pixels divided by the pixels of the whole outline, including parts outside the picture and behind others; 0…1. */
  visible_fraction: number;
  /** Depth of its middle along the optical axis. */
  depth_m: number;
}

export interface Capture {
  jpeg: Uint8Array;
  /** SHA-256 of the JPEG's bytes, lower-case hex. */
  sha256: string;
  /** Only when `boxes` were asked for. */
  entities?: CapturedEntity[];
}

export type ToWorker =
  | { type: 'layout'; id: number; layout: ScenePlace }
  | { type: 'warm-up'; id: number }
  | { type: 'capture'; id: number; order: CaptureOrder };

export type FromWorker =
  | JobUpdate
  /** The WebGL context is lost. This worker draws nothing more. */
  | { type: 'lost' };

/** The worker's reports about its current job. */
export type JobUpdate =
  | { type: 'progress'; id: number; done: number; total: number }
  | { type: 'done'; id: number }
  | { type: 'captured'; id: number; capture: Capture }
  | { type: 'failed'; id: number; reason: string };
