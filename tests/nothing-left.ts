/**
 * Before every test file that shares its process (`scripts/test-files.ts`): fails one that leaves behind what its neighbours see. Scenes of
 * files, which every run of a task makes known, are forgotten.
 */
import { afterAll, expect } from 'vitest';
import { forgetScene, sceneIds } from '../src/simulation/scene.ts';
import { changedBetween, lookAtShared } from './left-behind.ts';

const before = lookAtShared();
const scenesBefore = new Set(sceneIds());

afterAll(() => {
  for (const id of sceneIds()) if (!scenesBefore.has(id)) forgetScene(id);
  expect(changedBetween(before, lookAtShared()), 'What this file has changed, its neighbours see: undo it.').toEqual([]);
});
