import type { ScenePlace } from '../../src/protocol/wire/place.ts';
import type { RenderState } from '../../src/protocol/wire/render-state.ts';
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

/** The data read from a stage, and how long that took including the drawing, in milliseconds. */
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
    /** Sets up the warehouse, to be drawn by `drawFrames`. */
    openFrames(order: FramesOrder): Promise<void>;
    /** Draws one frame per state and answers with the cost of all of them. */
    drawFrames(states: readonly RenderState[]): GlTotal & { mainThreadMs: number };
    /** Joins a room without being its robot. */
    joinAsPeer(place: { url: string; token: string }): Promise<void>;
    /** Sends this many random bytes to one participant over a byte stream. */
    sendBytes(destinationIdentity: string, topic: string, byteCount: number): Promise<void>;
  }
}
