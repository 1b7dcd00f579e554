import { PerspectiveCamera } from 'three';
import { cameraView } from '../protocol/wire/capture-frame.ts';
import type { ScenePlace } from '../protocol/wire/place.ts';
import type { ColourMode } from '../protocol/wire/render-state.ts';
import { placeOpticalCamera } from '../stage/optical-camera.ts';
import { loadLook } from '../stage/scenes/looks.ts';
import type { FrameSource } from '../stage/types.ts';
import { measureBoxes } from './boxes.ts';
import type { Capture, CapturedEntity, CaptureOrder } from './messages.ts';
import { sha256Hex } from './sha256.ts';
import { openStageRoot } from './stage-root.ts';
import { warmUpState } from './warm-up-state.ts';

/**
 * The place where the worker draws its pictures: one off-screen canvas, the stage in it, and a camera that takes the robot's
 * places.
 */
export interface Studio {
  setLayout(layout: ScenePlace): Promise<void>;
  /** Draws in natural colours as captures will, so that every shader they need is compiled. */
  warmUp(onProgress: (done: number, total: number) => void): Promise<void>;
  /** Does the same for one of the other colour modes. Call it again while it returns true. */
  warmUpSpare(): boolean;
  capture(order: CaptureOrder): Promise<Capture>;
}

type View = Pick<CaptureOrder, 'renderState' | 'camera' | 'widthPx' | 'heightPx'>;

const WARM_UP_STEPS = 3;
const SMALL = { widthPx: 320, heightPx: 180 };

/** @param onLost called when the WebGL context, and with it this studio, is lost */
export async function createStudio(onLost: () => void): Promise<Studio> {
  const canvas = new OffscreenCanvas(16, 16);
  canvas.addEventListener('webglcontextlost', onLost);
  const camera = new PerspectiveCamera();
  let view: View | null = null;
  let pass: ReturnType<NonNullable<FrameSource['pass']>> = { kind: 'picture' };
  const source: FrameSource = { latest: () => view?.renderState ?? null, eye: () => view?.camera ?? null, pass: () => pass };

  const root = await openStageRoot(canvas, camera, { antialias: true });
  let layout: ScenePlace | null = null;
  const spareModes: ColourMode[] = ['segmentation', 'plain'];

  /** Draws the view on the canvas, or into the current render target. */
  function draw(next: View): void {
    const { gl, advance } = root.state();
    view = next;
    if (gl.getContext().isContextLost()) throw new Error('the WebGL context is lost.');
    if (canvas.width !== next.widthPx || canvas.height !== next.heightPx) gl.setSize(next.widthPx, next.heightPx, false);
    placeOpticalCamera(camera, cameraView(next.renderState, next.camera), next.widthPx, next.heightPx);
    advance(next.renderState.simTimeS * 1000);
  }

  /** Waits until the frame, including its shaders, is done, by reading one pixel. */
  function waitForFrame(): void {
    const gl = root.state().gl.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  function annotate(order: CaptureOrder): CapturedEntity[] {
    if (!layout) return [];
    const { gl } = root.state();
    const drawIds = (only: string | null): void => {
      pass = { kind: 'ids', only };
      draw(order);
    };
    try {
      return measureBoxes({ renderer: gl, order, layout, drawIds });
    } finally {
      pass = { kind: 'picture' };
    }
  }

  return {
    async setLayout(next) {
      await loadLook(next);
      layout = next;
      await root.show({ layout: next, source, audience: 'camera' });
    },
    async warmUp(onProgress) {
      if (!layout) throw new Error('the cameras do not know the place yet.');
      // The stage is built: that was the first step.
      onProgress(1, WARM_UP_STEPS);
      const natural = warmUpState(layout, 'natural');
      // The usual size, also through the encoder.
      draw({ renderState: natural, camera: 'pov', widthPx: 1280, heightPx: 720 });
      await encode(canvas, 0.7);
      onProgress(2, WARM_UP_STEPS);
      for (const { id } of layout.cameras) draw({ renderState: natural, camera: id, ...SMALL });
      waitForFrame();
      onProgress(WARM_UP_STEPS, WARM_UP_STEPS);
    },
    warmUpSpare() {
      const colourMode = spareModes.shift();
      if (!layout || !colourMode) return false;
      draw({ renderState: warmUpState(layout, colourMode), camera: 'pov', ...SMALL });
      waitForFrame();
      return spareModes.length > 0;
    },
    async capture(order) {
      draw(order);
      // The canvas is read in the same task that drew it, because it may be cleared afterwards.
      const encoding = encode(canvas, order.quality);
      const jpeg = await encoding;
      const sha256 = await sha256Hex(jpeg);
      return order.annotations.includes('boxes') ? { jpeg, sha256, entities: annotate(order) } : { jpeg, sha256 };
    },
  };
}

async function encode(canvas: OffscreenCanvas, quality: number): Promise<Uint8Array> {
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
  if (blob.type !== 'image/jpeg') throw new Error('this browser does not encode JPEG.');
  return new Uint8Array(await blob.arrayBuffer());
}
