import type { ScenePlace } from '../protocol/wire/place.ts';
import { CameraError } from './camera-error.ts';
import type { Capture, CaptureOrder } from './messages.ts';
import { type WorkerLike, WorkerLink } from './worker-link.ts';

/** Time limits for the worker's answers. Building a layout and compiling its shaders takes longest with software rendering. */
const LAYOUT_TIMEOUT_MS = 30_000;
const WARM_UP_TIMEOUT_MS = 60_000;
const CAPTURE_TIMEOUT_MS = 10_000;

export interface CaptureInput extends Omit<CaptureOrder, 'annotations'> {
  /** @default none */
  annotations?: CaptureOrder['annotations'];
  /** Rejects with the signal's reason. A picture that is being drawn is finished and discarded. */
  signal?: AbortSignal;
}

/** The robot's cameras, drawn in a worker of their own, so that the page never waits for a picture. */
export interface Cameras {
  /**
   * Draws with both cameras as captures will, so that the first capture is as quick as the others. Rarer colour modes follow by
   * themselves.
   */
  warmUp(): Promise<void>;
  /**
   * Draws what a camera sees in a state, as JPEG. Captures are drawn one after the other, in the order of the calls.
   * @throws CameraError with a sentence. When a worker breaks, the capture is first tried once more in a fresh one.
   */
  capture(input: CaptureInput): Promise<Capture>;
  /** The next captures are drawn in this place. */
  setLayout(layout: ScenePlace): Promise<void>;
  /** Ends the worker and rejects the calls that wait. */
  dispose(): void;
}

export interface CamerasOptions {
  layout: ScenePlace;
  /** Progress of the warm-up, in steps. */
  onProgress?: (done: number, total: number) => void;
  /** @default the camera worker of this project */
  createWorker?: () => WorkerLike;
}

/** Opens the cameras of a robot. The worker starts with the first call. */
export function createCameras(options: CamerasOptions): Cameras {
  let layout = options.layout;
  const link = new WorkerLink({
    createWorker: options.createWorker ?? openCameraWorker,
    introduction: () => ({ message: (id) => ({ type: 'layout', id, layout }), timeoutMs: LAYOUT_TIMEOUT_MS }),
  });
  return {
    async warmUp() {
      await link.run({
        message: (id) => ({ type: 'warm-up', id }),
        timeoutMs: WARM_UP_TIMEOUT_MS,
        onProgress: options.onProgress,
      });
    },
    async capture({ signal, annotations = [], ...rest }) {
      const order: CaptureOrder = { ...rest, annotations };
      const capture = await link.run({
        message: (id) => ({ type: 'capture', id, order }),
        timeoutMs: CAPTURE_TIMEOUT_MS,
        signal,
      });
      if (!capture) throw CameraError.failed('the worker answered without a picture.');
      return capture;
    },
    async setLayout(next) {
      layout = next;
      await link.run({ message: (id) => ({ type: 'layout', id, layout: next }), timeoutMs: LAYOUT_TIMEOUT_MS });
    },
    dispose: () => link.dispose(),
  };
}

/** A worker that loads its code and opens its drawing context before its place is known. */
let ahead: WorkerLike | null = null;

/** Starts a camera worker before its place is known; the cameras created next use it. Call it as soon as cameras are likely. */
export function openCamerasAhead(): void {
  ahead ??= startCameraWorker();
}

function openCameraWorker(): WorkerLike {
  const opened = ahead ?? startCameraWorker();
  ahead = null;
  return opened;
}

const startCameraWorker = (): WorkerLike =>
  new Worker(new URL('./camera-worker.ts', import.meta.url), { type: 'module', name: 'cameras' }) as WorkerLike;
