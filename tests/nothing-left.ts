/**
 * Runs before every test file that shares its process (`scripts/test-files.ts`). Fails a file that leaves behind side
 * effects for others.
 */
import { afterAll, expect } from 'vitest';
import { changedBetween, lookAtShared } from './left-behind.ts';

const before = lookAtShared();

afterAll(() => {
  expect(changedBetween(before, lookAtShared()), 'What this file has changed, its neighbours see: undo it.').toEqual([]);
});
