import type { ScenePlace } from '../../protocol/place.ts';
import type { Overlay, RenderState } from '../../protocol/render-state.ts';
import type { PersonMarks, RobotMood, StageQuality } from '../../stage/types.ts';

/** The hall as people see it. */
export interface PictureStage {
  layout: ScenePlace;
  quality: StageQuality;
  shadows: boolean;
}

/** One frame of a person's picture: plain data, it crosses to the worker by structured clone. */
export interface PictureFrame {
  /** Null while there is no robot yet. */
  renderState: RenderState | null;
  overlay: Overlay;
  marks: PersonMarks;
  mood: RobotMood;
  /** Is the eye inside of the robot's head? */
  inHead: boolean;
  /** Pose of the eye in the world, and its projection: matrices of a three camera, 16 numbers by columns. */
  eyeInWorld: readonly number[];
  projection: readonly number[];
  /** Of the canvas on the page, pixels of the page. */
  widthPx: number;
  heightPx: number;
  /** Pixels of the canvas per pixel of the page. */
  pixelRatio: number;
  /** Any steady clock, for what moves by itself. */
  timeS: number;
}

export type ToPicture =
  /** Once, before anything else. */
  { type: 'open'; canvas: OffscreenCanvas } | { type: 'stage'; stage: PictureStage } | { type: 'draw'; frame: PictureFrame };

export type FromPicture =
  /** The frame asked for is on the canvas. `costMs` is what drawing it took. */
  | { type: 'drawn'; costMs: number }
  /** The drawing context is gone: this worker will draw nothing more. */
  | { type: 'lost' }
  | { type: 'failed'; reason: string };
