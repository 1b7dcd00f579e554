import { describe, expect, it } from 'vitest';
import { HEAD_CAMERA_ID } from '../../src/protocol/wire/captures.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { builtInScene, placeOf } from '../../src/simulation/scene.ts';

describe.each(SCENE_IDS)('the furniture of %s', (sceneId) => {
  const scene = builtInScene(sceneId);
  if (!scene) throw new Error(`There is no scene ${sceneId}.`);
  const { obstacles, pads, furniture } = placeOf(scene, 'humanoid');
  const boxIds = obstacles.map(({ obstacle_id }) => obstacle_id);
  const padIds = pads.map(({ pad_id }) => pad_id);

  it('the furniture consists of boxes of the layout, each named once', () => {
    const ids = furniture.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(boxIds).toEqual(expect.arrayContaining(ids));
  });

  it('the furniture refers only to existing pads and boxes', () => {
    for (const piece of furniture) {
      if ('padId' in piece) expect(padIds).toContain(piece.padId);
      if ('beltId' in piece) expect(furniture).toContainEqual(expect.objectContaining({ id: piece.beltId, kind: 'belt' }));
    }
  });

  it('the cameras of the scene have different names, and none has that of the camera in the head', () => {
    const ids = [HEAD_CAMERA_ID, ...scene.cameras.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('the furniture is not part of the data that clients read', () => {
    expect(Object.keys(scene.layout)).toEqual(['scene_id', 'bounds', 'obstacles', 'pads', 'slots', 'regions', 'spawn']);
  });
});
