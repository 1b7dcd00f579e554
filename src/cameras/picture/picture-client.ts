import { startAwakeTimer } from '../awake-timer.ts';
import type { FromPicture, PictureFrame, PictureStage, ToPicture } from './picture-messages.ts';

/** What is awaited of the worker: with a new stage come geometry and shaders, which take longest on software rendering. */
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
 * Why there will be no more pictures. `lost`: the drawing context or the worker broke while it drew, and another may work. `failed`: it
 * has never drawn, or cannot draw this.
 */
export type PictureEnd = 'lost' | 'failed';

/** A person's picture that a worker draws on a canvas of the page: the page never waits for a frame. */
export interface PictureClient {
  /** The next frames show this. */
  setStage(stage: PictureStage): void;
  /** Is a frame being drawn? Then no other may be asked for: frames that queue are old when they come. */
  isDrawing(): boolean;
  /** @param onDrawn told when the frame is on the canvas, with what it took */
  draw(frame: PictureFrame, onDrawn: (costMs: number) => void): void;
  /** Ends the worker; nothing is told of it. */
  dispose(): void;
}

export interface PictureOptions {
  /** Taken over by the worker. */
  canvas: OffscreenCanvas;
  /** Told once, after the worker was ended. */
  onEnd: (end: PictureEnd) => void;
  /** @default a worker of this project */
  createWorker?: () => PicturePort;
}

export function openPicture({ canvas, onEnd, createWorker = startPictureWorker }: PictureOptions): PictureClient {
  const port = createWorker();
  let drawing: { stage: number; onDrawn: (costMs: number) => void; endTimer: () => void } | null = null;
  /** Stages are counted; a frame belongs to the one that it was asked for with. */
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

/** The cameras' file under another name, which it reads: the browser has it already. */
const startPictureWorker = (): PicturePort =>
  new Worker(new URL('../camera-worker.ts', import.meta.url), { type: 'module', name: 'picture' });
