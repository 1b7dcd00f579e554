import type { FromWorker, ToWorker } from './messages.ts';
import { createStudio, type Studio } from './studio.ts';

/** The parts of a dedicated worker's global that are used here. */
export interface CameraScope {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

/** Milliseconds before each spare step after the warm-up; it compiles rarely used colour modes between pictures. */
const SPARE_PAUSE_MS = 500;

/** Draws the robot's cameras for the page. */
export function serveCameras(scope: CameraScope): void {
  const reply = (message: FromWorker, transfer: Transferable[] = []): void => scope.postMessage(message, transfer);
  /** Opened at once, so that the drawing context is ready when the place is known. */
  const opening = createStudio(() => reply({ type: 'lost' }));
  // Each request reports the failure to its caller.
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

  /** Runs one step at a time; a picture requested meanwhile comes first. */
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
