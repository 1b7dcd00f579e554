/** Counts the cost of frames of the warehouse: drawn by the page itself, as for a graphics card, and as the cameras are drawn. */
import { createRoot, extend, type RootStore } from '@react-three/fiber';
import { createElement, Fragment, useEffect } from 'react';
import { DirectionalLight, HemisphereLight, PerspectiveCamera } from 'three';
import type { RenderState } from '../../src/protocol/wire/render-state.ts';
import { placeOpticalCamera } from '../../src/stage/optical-camera.ts';
import { StageScene } from '../../src/stage/StageScene.tsx';
import { type GlCounts, watchGl } from './gl-counts.ts';
import type { FramesOrder } from './messages.ts';

const SIZE = { width: 640, height: 360, top: 0, left: 0 };
/** A camera above the warehouse that sees all of it, in the optical frame, so that nothing is culled. */
const ABOVE = { position: [0.25, -1.8, 12], orientation: [1, 0, 0, 0] } as const;

interface Drawing {
  counts: GlCounts;
  draw(state: RenderState): void;
}

let drawing: Drawing | null = null;

async function open({ layout, audience, quality }: FramesOrder): Promise<Drawing> {
  extend({ DirectionalLight, HemisphereLight });
  const canvas = document.createElement('canvas');
  canvas.width = SIZE.width;
  canvas.height = SIZE.height;
  const counts = watchGl();
  const camera = Object.assign(new PerspectiveCamera(), { manual: true });
  placeOpticalCamera(camera, { position: [...ABOVE.position], orientation: [...ABOVE.orientation], verticalFovDeg: 60 }, 16, 9);
  const root = createRoot(canvas);
  await root.configure({ frameloop: 'never', dpr: 1, size: SIZE, gl: { antialias: false, alpha: false }, shadows: true, camera });
  let latest: RenderState | null = null;
  const source = { latest: () => latest };
  let mounted: RootStore | null = null;
  await new Promise<void>((onMounted) => {
    mounted = root.render(
      createElement(
        Fragment,
        null,
        createElement(StageScene, { layout, source, audience, quality }),
        // After the stage, so that its effect runs after the stage's own.
        createElement(Mounted, { onMounted }),
      ),
    );
  });
  if (!mounted) throw new Error('The stage was not mounted.');
  const store: RootStore = mounted;
  return {
    counts,
    draw(state) {
      latest = state;
      store.getState().advance(state.simTimeS);
    },
  };
}

function Mounted({ onMounted }: { onMounted: () => void }): null {
  useEffect(onMounted, [onMounted]);
  return null;
}

window.openFrames = async (order) => {
  drawing = await open(order);
};

window.drawFrames = (states) => {
  if (!drawing) throw new Error('There is nothing to draw yet.');
  const { counts, draw } = drawing;
  counts.clear();
  const beganAtMs = performance.now();
  for (const state of states) draw(state);
  const tookMs = performance.now() - beganAtMs;
  return { ...counts.total(), mainThreadMs: tookMs };
};
