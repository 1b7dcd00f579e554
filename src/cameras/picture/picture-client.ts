import { startAwakeTimer } from '../awake-timer.ts';
import type { FromPicture, PictureFrame, PictureStage, ToPicture } from './picture-messages.ts';

/** Time limits for the worker's answers. A new stage brings geometry and shaders, which take longest with software rendering. */
const FRAME_TIMEOUT_MS = 15_000;
const FIRST_FRAME_TIMEOUT_MS = 60_000;

/** The part of a Worker that is used here. */
export interface PicturePort {
  postMessage(message: ToPicture, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromPicture>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

/**
 * Why no more pictures come. `lost`: the drawing context or the worker broke after a first frame, and another may work. `failed`:
 * it has never drawn, or cannot draw this.
 */
export type PictureEnd = 'lost' | 'failed';

/** A person's picture that a worker draws on a canvas of the page, so that the page never waits for a frame. */
export interface PictureClient {
  /** The next frames show this. */
  setStage(stage: PictureStage): void;
  /** Whether a frame is being drawn. No other is accepted meanwhile: queued frames are old when they come. */
  isDrawing(): boolean;
  /** @param onDrawn called with the frame's cost when it is on the canvas */
  draw(frame: PictureFrame, onDrawn: (costMs: number) => void): void;
  /** Ends the worker without calling `onEnd`. */
  dispose(): void;
}

export interface PictureOptions {
  /** Taken over by the worker. */
  canvas: OffscreenCanvas;
  /** Called once, after the worker was ended. */
  onEnd: (end: PictureEnd) => void;
  /** @default a worker of this project */
  createWorker?: () => PicturePort;
}

export function openPicture({ canvas, onEnd, createWorker = startPictureWorker }: PictureOptions): PictureClient {
  const port = createWorker();
  let drawing: { stage: number; onDrawn: (costMs: number) => void; endTimer: () => void } | null = null;
  /** Number of the current stage. A frame belongs to the stage with which it was requested. */
  let stageNumber = 0;
  let drawnStage = 0;
  let hasEverDrawn = false;
  let isGone = false;

  function dispose(): void {
    isGone = true;
    drawing?.endTimer();
    drawing = null;
    port.onmessage = null;
    port.onerror = null;
    port.onmessageerror = null;
    port.terminate();
  }

  function end(how: PictureEnd): void {
    if (isGone) return;
    dispose();
    onEnd(how);
  }

  const breakDown = (): void => end(hasEverDrawn ? 'lost' : 'failed');
  port.onerror = breakDown;
  port.onmessageerror = breakDown;
  port.onmessage = ({ data }) => {
    if (data.type !== 'drawn') return end(data.type);
    const drawn = drawing;
    drawing = null;
    if (drawn) drawnStage = drawn.stage;
    hasEverDrawn = true;
    drawn?.endTimer();
    drawn?.onDrawn(data.costMs);
  };
  port.postMessage({ type: 'open', canvas }, [canvas]);

  return {
    setStage(stage) {
      if (isGone) return;
      stageNumber += 1;
      port.postMessage({ type: 'stage', stage }, []);
    },
    isDrawing: () => drawing !== null,
    draw(frame, onDrawn) {
      if (isGone || drawing) return;
      const timeoutMs = drawnStage === stageNumber && hasEverDrawn ? FRAME_TIMEOUT_MS : FIRST_FRAME_TIMEOUT_MS;
      drawing = { stage: stageNumber, onDrawn, endTimer: startAwakeTimer(timeoutMs, breakDown) };
      port.postMessage({ type: 'draw', frame }, []);
    },
    dispose,
  };
}

/** Starts the cameras' file under another name, which it reads: the browser has the file already. */
const startPictureWorker = (): PicturePort =>
  new Worker(new URL('../camera-worker.ts', import.meta.url), { type: 'module', name: 'picture' });
