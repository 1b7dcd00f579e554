import { createPainter, type Painter } from './painter.ts';
import type { FromPicture, ToPicture } from './picture-messages.ts';

/** The parts of a dedicated worker's global that are used here. */
export interface PictureScope {
  postMessage(message: FromPicture): void;
  onmessage: ((event: MessageEvent<ToPicture>) => void) | null;
}

/** Draws a person's picture of the world on the page's canvas. */
export function servePicture(scope: PictureScope): void {
  let painter: Painter | null = null;
  /** Messages are answered one after the other. */
  let previous: Promise<void> = Promise.resolve();

  scope.onmessage = ({ data }) => {
    previous = previous
      .then(() => answer(data))
      .catch((error: unknown) => {
        scope.postMessage({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
      });
  };

  async function answer(message: ToPicture): Promise<void> {
    if (message.type === 'open') {
      painter = await createPainter(message.canvas, () => scope.postMessage({ type: 'lost' }));
      return;
    }
    if (!painter) throw new Error('there is no canvas to draw on.');
    if (message.type === 'stage') await painter.setStage(message.stage);
    else scope.postMessage({ type: 'drawn', costMs: await painter.draw(message.frame) });
  }
}
