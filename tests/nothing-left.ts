/**
 * Runs before every test file that shares its process (`scripts/test-files.ts`). Fails a file that leaves behind side
 * effects for others. Forgets scenes of files, which every run of a task registers.
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
