import { PerspectiveCamera, type WebGLRenderer } from 'three';
import { EMPTY_OVERLAY } from '../../protocol/wire/render-state.ts';
import { PLAIN_MARKERS } from '../../stage/overlay/markers.ts';
import { loadLook } from '../../stage/scenes/looks.ts';
import type { FrameSource } from '../../stage/types.ts';
import { openStageRoot } from '../stage-root.ts';
import { prepareFirstDraw } from './first-draw.ts';
import type { PictureFrame, PictureStage } from './picture-messages.ts';

/** Draws the stage for people on a canvas that the page shows. */
export interface Painter {
  setStage(stage: PictureStage): Promise<void>;
  /** Draws one frame and waits for it. @returns its cost in milliseconds, without the one-time work of a first frame */
  draw(frame: PictureFrame): Promise<number>;
}

/** Pause between two parts of a first frame, in which other work gets the CPU and the renderer. */
const PAUSE_MS = 4;

/** @param onLost called when the drawing context, and with it this painter, is lost */
export async function createPainter(canvas: OffscreenCanvas, onLost: () => void): Promise<Painter> {
  canvas.addEventListener('webglcontextlost', onLost);
  const camera = new PerspectiveCamera();
  // Its matrices come with every frame.
  camera.matrixAutoUpdate = false;
  camera.matrixWorldAutoUpdate = false;
  const root = await openStageRoot(canvas, camera, { antialias: false });
  let frame: PictureFrame | null = null;
  let isPrepared = false;
  const source: FrameSource = {
    latest: () => frame?.renderState ?? null,
    overlay: () => frame?.overlay ?? EMPTY_OVERLAY,
    markers: () => frame?.markers ?? PLAIN_MARKERS,
    statusLight: () => frame?.statusLight ?? 'idle',
    eye: () => (frame?.inHead ? 'pov' : null),
  };

  return {
    async setStage({ layout, quality, shadows }) {
      await loadLook(layout);
      // The materials have changed, or the shaders of the same ones.
      isPrepared = false;
      await root.show({ layout, source, audience: 'people', quality, shadows });
    },
    async draw(next) {
      const { gl, scene, advance } = root.state();
      frame = next;
      placeEye(camera, next);
      resize(gl, next);
      if (!isPrepared) {
        isPrepared = true;
        await prepareFirstDraw({
          renderer: gl,
          scene,
          camera,
          draw: () => advance(next.timeS),
          pause: () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
        });
      }
      const beganAtMs = performance.now();
      advance(next.timeS);
      waitForFrame(gl);
      return performance.now() - beganAtMs;
    },
  };
}

function placeEye(camera: PerspectiveCamera, { eyeInWorld, projection }: PictureFrame): void {
  camera.matrixWorld.fromArray(eyeInWorld);
  camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
  camera.projectionMatrix.fromArray(projection);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
}

/** Resizes the canvas only when its size differs, because setting a canvas's size empties it. */
function resize(renderer: WebGLRenderer, { widthPx, heightPx, pixelRatio }: PictureFrame): void {
  if (renderer.getPixelRatio() !== pixelRatio) renderer.setPixelRatio(pixelRatio);
  const { width, height } = renderer.domElement;
  if (width === Math.floor(widthPx * pixelRatio) && height === Math.floor(heightPx * pixelRatio)) return;
  renderer.setSize(widthPx, heightPx, false);
}

/** Waits until the frame is done, by reading one pixel. */
function waitForFrame(renderer: WebGLRenderer): void {
  const gl = renderer.getContext();
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}
