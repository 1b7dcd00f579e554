import { expect, it } from 'vitest';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { builtInScene, placeOf } from '../../src/simulation/scene.ts';
import type { SceneDefinition } from '../../src/simulation/scene-definition.ts';
import { placeCameras } from '../../src/viewer/ui/common/place-cameras.ts';
import { standingCallables } from '../../src/viewer/ui/console/callables.ts';

function sceneOf(id: string): SceneDefinition {
  const scene = builtInScene(id);
  if (!scene) throw new Error(`There is no scene ${id}.`);
  return scene;
}

it.each(SCENE_IDS)('the page offers the cameras of %s: the robot’s own first, each with a name of its own', (id) => {
  const scene = sceneOf(id);
  const cameras = placeCameras(placeOf(scene, 'humanoid'));
  expect(cameras.map((camera) => camera.id)).toEqual(['pov', ...scene.cameras.map((camera) => camera.id)]);
  expect(new Set(cameras.map(({ title }) => title)).size).toBe(cameras.length);
  const form = JSON.stringify(standingCallables(cameras)[0]?.form);
  for (const camera of cameras) expect(form).toContain(`"${camera.id}"`);
});

it('the picker’s own camera is on its mast', () => {
  expect(placeCameras(placeOf(sceneOf('warehouse'), 'picker'))[0]).toMatchObject({ id: 'pov', title: 'Mast' });
});

it('without a place, the page shows no camera, and the form still offers the robot’s own', () => {
  expect(placeCameras(null)).toEqual([]);
  expect(JSON.stringify(standingCallables([])[0]?.form)).toContain('"pov"');
});
