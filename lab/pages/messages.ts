import type { ScenePlace } from '../../src/protocol/place.ts';
import type { RenderState } from '../../src/protocol/render-state.ts';
import type { Audience, StageQuality } from '../../src/stage/types.ts';
import type { GlTotal } from './gl-counts.ts';

export interface BareOrder {
  layout: ScenePlace;
  renderState: RenderState;
  widthPx: number;
  heightPx: number;
  /** The JPEG's quality, in (0, 1]. */
  quality: number;
}

/** What was taken from a stage, and how long that took together with drawing it, milliseconds. */
export interface BareTimes {
  pixelsMs: number;
  jpegMs: number;
}

/** How frames are to be drawn. */
export interface FramesOrder {
  layout: ScenePlace;
  audience: Audience;
  quality: StageQuality;
}

declare global {
  interface Window {
    /** Draws the stage and reads all pixels back; draws it again and makes a JPEG of it. */
    renderBare(order: BareOrder): Promise<BareTimes>;
    /** Puts the warehouse up, to be drawn by `drawFrames`. */
    openFrames(order: FramesOrder): Promise<void>;
    /** Draws a frame a state and answers with what all of them took. */
    drawFrames(states: readonly RenderState[]): GlTotal & { mainThreadMs: number };
    /** Joins a room as nobody's robot. */
    joinAsPeer(place: { url: string; token: string }): Promise<void>;
    /** Sends as many random bytes to one participant over a byte stream. */
    sendBytes(destinationIdentity: string, topic: string, byteCount: number): Promise<void>;
  }
}
