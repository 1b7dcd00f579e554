/** Film strips: the stage drawn at several moments of a motion, from several sides, next to each other. */
import { Color, DirectionalLight, HemisphereLight, LinearToneMapping, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';
import { LIGHT_RIG } from '../../../src/stage/look/light-rig.ts';
import { PALETTE } from '../../../src/stage/look/palette.ts';
import { createStage } from '../../../src/stage/stage.ts';
import type { StripOrder, StripView } from './messages.ts';

/** Names of frames and of the strip are drawn into its corners. */
const FONT = '11px sans-serif';
const TITLE_PX = 18;

/** Heading of the pelvis, radians. */
const headingOf = ({ rootPose: { orientation } }: RenderState): number => {
  const [x, y, z, w] = orientation;
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
};

function placeCamera(camera: PerspectiveCamera, view: StripView, state: RenderState, headingRad: number): void {
  const [x, y] = state.rootPose.position;
  const around = headingRad + (view.aroundDeg * Math.PI) / 180;
  camera.position.set(x + view.distanceM * Math.cos(around), y + view.distanceM * Math.sin(around), view.eyeHeightM);
  camera.lookAt(x, y, view.lookHeightM);
  camera.updateMatrixWorld(true);
}

window.renderStrip = ({ title, layout, frames, views, frameWidthPx, frameHeightPx }: StripOrder) => {
  const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(frameWidthPx, frameHeightPx, false);
  renderer.toneMapping = LinearToneMapping;
  const scene = new Scene();
  scene.background = new Color(PALETTE.background);
  const sky = new HemisphereLight(LIGHT_RIG.sky.skyColour, LIGHT_RIG.sky.groundColour, LIGHT_RIG.sky.intensity);
  sky.position.set(0, 0, 1);
  scene.add(sky);
  for (const { toward, intensity } of [LIGHT_RIG.key, ...LIGHT_RIG.fills]) {
    const light = new DirectionalLight(0xffffff, intensity);
    light.position.set(toward[0], toward[1], toward[2]);
    scene.add(light);
  }
  const stage = createStage({ layout, audience: 'camera', quality: 'low' });
  scene.add(stage.root);
  const camera = new PerspectiveCamera(30, frameWidthPx / frameHeightPx, 0.05, 60);
  camera.up.set(0, 0, 1);

  const sheet = document.createElement('canvas');
  sheet.width = frames.length * frameWidthPx;
  sheet.height = TITLE_PX + views.length * frameHeightPx;
  const ink = sheet.getContext('2d');
  const [first] = frames;
  if (!ink || !first) throw new Error('There is nothing to draw on, or nothing to draw.');
  ink.fillStyle = '#fff';
  ink.fillRect(0, 0, sheet.width, sheet.height);
  ink.font = FONT;
  ink.fillStyle = '#222';
  ink.fillText(`${title}: ${views.map(({ name }) => name).join(', ')}`, 4, 13);
  views.forEach((view, row) => {
    frames.forEach((frame, column) => {
      placeCamera(camera, view, frame, headingOf(first));
      stage.draw({ latest: () => frame }, frame.simTimeS);
      renderer.render(scene, camera);
      const [left, top] = [column * frameWidthPx, TITLE_PX + row * frameHeightPx];
      ink.drawImage(renderer.domElement, left, top);
      ink.fillText(`${(frame.simTimeS - first.simTimeS).toFixed(2)} s`, left + 4, top + 13);
    });
  });
  const url = sheet.toDataURL('image/png');
  stage.dispose();
  renderer.dispose();
  renderer.forceContextLoss();
  return url;
};
