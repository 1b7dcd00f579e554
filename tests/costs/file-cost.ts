/** Runs before every test file and records the cost of the file. */
import { afterAll, expect } from 'vitest';
import { beginCost } from './costs.ts';

const keep = beginCost();

afterAll(() => {
  const { testPath = '' } = expect.getState();
  keep(testPath.slice(testPath.lastIndexOf('/tests/') + 1));
});
