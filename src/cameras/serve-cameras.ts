import type { FromWorker, ToWorker } from './messages.ts';
import { createStudio, type Studio } from './studio.ts';

/** What a dedicated worker's global offers here. */
export interface CameraScope {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

/** After the warm-up what is rarely asked for is compiled too, in the pauses between pictures. */
const SPARE_PAUSE_MS = 500;

/** Draws the robot's cameras for the page. */
export function serveCameras(scope: CameraScope): void {
  const reply = (message: FromWorker, transfer: Transferable[] = []): void => scope.postMessage(message, transfer);
  /** Opened at once: by the time the place is known the drawing context is there. */
  const opening = createStudio(() => reply({ type: 'lost' }));
  // Whoever asks for something learns why it failed.
  opening.catch(() => undefined);
  let studio: Studio | null = null;
  /** Messages are answered one after the other, whatever the page does. */
  let previous: Promise<void> = Promise.resolve();

  scope.onmessage = ({ data }) => {
    previous = previous
      .then(() => answer(data))
      .catch((error: unknown) => {
        reply({ type: 'failed', id: data.id, reason: error instanceof Error ? error.message : String(error) });
      });
  };

  async function answer(message: ToWorker): Promise<void> {
    const { id } = message;
    switch (message.type) {
      case 'layout':
        studio ??= await opening;
        await studio.setLayout(message.layout);
        reply({ type: 'done', id });
        break;
      case 'warm-up':
        await studioOrThrow().warmUp((done, total) => reply({ type: 'progress', id, done, total }));
        reply({ type: 'done', id });
        warmUpSpare();
        break;
      case 'capture': {
        const capture = await studioOrThrow().capture(message.order);
        reply({ type: 'captured', id, capture }, [capture.jpeg.buffer as ArrayBuffer]);
        break;
      }
    }
  }

  /** One step at a time; a picture that was asked for meanwhile comes first. */
  function warmUpSpare(): void {
    setTimeout(() => {
      previous = previous
        .then(() => {
          if (studio?.warmUpSpare()) warmUpSpare();
        })
        .catch(() => undefined);
    }, SPARE_PAUSE_MS);
  }

  function studioOrThrow(): Studio {
    if (!studio) throw new Error('the cameras were asked for a picture before they knew the place.');
    return studio;
  }
}
