import type { ScenePlace } from '../../src/protocol/place.ts';
import type { RenderState } from '../../src/protocol/render-state.ts';
import type { Audience, StageQuality } from '../../src/stage/types.ts';
import type { GlTotal } from './gl-counts.ts';

export interface BareOrder {
  layout: ScenePlace;
  renderState: RenderState;
  widthPx: number;
  heightPx: number;
}

/** How frames are to be drawn. */
export interface FramesOrder {
  layout: ScenePlace;
  audience: Audience;
  quality: StageQuality;
}

declare global {
  interface Window {
    /** Draws the stage once, reads all pixels back and answers with the time both took, in milliseconds. */
    renderBare(order: BareOrder): Promise<number>;
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
