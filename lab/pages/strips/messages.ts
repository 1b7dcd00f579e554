import type { ScenePlace } from '../../../src/protocol/wire/place.ts';
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';

/** A viewpoint: the camera moves with the pelvis, level, `aroundDeg` to the left of its first heading. */
export interface StripView {
  name: string;
  aroundDeg: number;
  distanceM: number;
  /** Height of the camera and of its target, above the floor. */
  eyeHeightM: number;
  lookHeightM: number;
}

export interface StripOrder {
  title: string;
  layout: ScenePlace;
  frames: readonly RenderState[];
  views: readonly StripView[];
  frameWidthPx: number;
  frameHeightPx: number;
}

declare global {
  interface Window {
    /** Draws every frame from every view, one row per view, and answers with the strip as a PNG's data URL. */
    renderStrip(order: StripOrder): string;
  }
}
