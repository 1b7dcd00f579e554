/** Before every test file: keeps what the file costs. */
import { afterAll, expect } from 'vitest';
import { beginCost } from './costs.ts';

const keep = beginCost();

afterAll(() => {
  const { testPath = '' } = expect.getState();
  keep(testPath.slice(testPath.lastIndexOf('/tests/') + 1));
});
