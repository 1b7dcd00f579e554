import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { Overlay, RenderState } from '../../protocol/wire/render-state.ts';
import type { PersonMarkers, StageQuality, StatusLight } from '../../stage/types.ts';

/** The scene as people see it. */
export interface PictureStage {
  layout: ScenePlace;
  quality: StageQuality;
  shadows: boolean;
}

/** One frame of a person's picture: plain data, because it crosses to the worker by structured clone. */
export interface PictureFrame {
  /** Null while there is no robot yet. */
  renderState: RenderState | null;
  overlay: Overlay;
  markers: PersonMarkers;
  statusLight: StatusLight;
  /** Whether the eye is inside the robot's head. */
  inHead: boolean;
  /** Pose of the eye in the world, and its projection: matrices of a three.js camera, 16 numbers by columns. */
  eyeInWorld: readonly number[];
  projection: readonly number[];
  /** Size of the canvas on the page, in page pixels. */
  widthPx: number;
  heightPx: number;
  /** Pixels of the canvas per pixel of the page. */
  pixelRatio: number;
  /** Time of any steady clock, for animated parts. */
  timeS: number;
}

export type ToPicture =
  /** Sent once, before anything else. */
  { type: 'open'; canvas: OffscreenCanvas } | { type: 'stage'; stage: PictureStage } | { type: 'draw'; frame: PictureFrame };

export type FromPicture =
  /** The requested frame is on the canvas. `costMs` is how long drawing it took. */
  | { type: 'drawn'; costMs: number }
  /** The drawing context is lost. This worker draws nothing more. */
  | { type: 'lost' }
  | { type: 'failed'; reason: string };
