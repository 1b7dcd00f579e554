import type { RenderState } from '../../src/protocol/render-state.ts';
import type { SceneLayout } from '../../src/protocol/scene.ts';

export interface BareOrder {
  layout: SceneLayout;
  renderState: RenderState;
  widthPx: number;
  heightPx: number;
}

declare global {
  interface Window {
    /** Draws the stage once, reads all pixels back and answers with the time both took, in milliseconds. */
    renderBare(order: BareOrder): Promise<number>;
    /** Joins a room as nobody's robot. */
    joinAsPeer(place: { url: string; token: string }): Promise<void>;
    /** Sends as many random bytes to one participant over a byte stream. */
    sendBytes(destinationIdentity: string, topic: string, byteCount: number): Promise<void>;
  }
}
