/**
 * The lower bound of a capture: the same stage on an OffscreenCanvas, drawn once and read back or encoded as a JPEG, without
 * anything else.
 */
import { createRoot, extend, type RootStore } from '@react-three/fiber';
import { createElement, Fragment, useEffect } from 'react';
import { DirectionalLight, HemisphereLight, PerspectiveCamera } from 'three';
import type { RenderState } from '../../src/protocol/wire/render-state.ts';
import { placeOpticalCamera } from '../../src/stage/optical-camera.ts';
import { StageScene } from '../../src/stage/StageScene.tsx';
import type { BareOrder, BareTimes } from './messages.ts';

const camera = new PerspectiveCamera();
const canvas = new OffscreenCanvas(1, 1);
let renderState: RenderState | null = null;
let store: RootStore | null = null;

async function mount({ layout, widthPx, heightPx }: BareOrder): Promise<RootStore> {
  extend({ DirectionalLight, HemisphereLight });
  canvas.width = widthPx;
  canvas.height = heightPx;
  const root = createRoot(canvas);
  await root.configure({
    frameloop: 'never',
    dpr: 1,
    size: { width: widthPx, height: heightPx, top: 0, left: 0 },
    gl: { antialias: true, alpha: false },
    camera: Object.assign(camera, { manual: true }),
  });
  const source = { latest: () => renderState, eye: () => 'pov' as const };
  let mounted: RootStore | null = null;
  await new Promise<void>((onMounted) => {
    mounted = root.render(
      createElement(
        Fragment,
        null,
        createElement(StageScene, { layout, source, audience: 'camera' }),
        // After the stage, so that its effect runs after the stage's own.
        createElement(Mounted, { onMounted }),
      ),
    );
  });
  if (!mounted) throw new Error('The stage was not mounted.');
  return mounted;
}

function Mounted({ onMounted }: { onMounted: () => void }): null {
  useEffect(onMounted, [onMounted]);
  return null;
}

self.onmessage = async ({ data }: MessageEvent<BareOrder>) => {
  store ??= await mount(data);
  renderState = data.renderState;
  placeOpticalCamera(camera, renderState.cameras.pov, data.widthPx, data.heightPx);
  const { gl, advance } = store.getState();
  const context = gl.getContext();
  const pixels = new Uint8Array(data.widthPx * data.heightPx * 4);
  const drawnAtMs = performance.now();
  advance(renderState.simTimeS * 1000);
  context.readPixels(0, 0, data.widthPx, data.heightPx, context.RGBA, context.UNSIGNED_BYTE, pixels);
  const pixelsMs = performance.now() - drawnAtMs;
  const drawnAgainAtMs = performance.now();
  advance(renderState.simTimeS * 1000);
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: data.quality });
  await jpeg.arrayBuffer();
  self.postMessage({ pixelsMs, jpegMs: performance.now() - drawnAgainAtMs } satisfies BareTimes);
};
