/** Before every test file that shares its process (`scripts/test-files.ts`): fails one that leaves behind what its neighbours see. */
import { afterAll, expect } from 'vitest';
import { changedBetween, lookAtShared } from './left-behind.ts';

const before = lookAtShared();

afterAll(() => {
  expect(changedBetween(before, lookAtShared()), 'What this file has changed, its neighbours see: undo it.').toEqual([]);
});
