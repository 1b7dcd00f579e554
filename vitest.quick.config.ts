/**
 * `npm run test:quick`: what needs neither server nor browser, without the longest of it. For the minutes between two edits; `npm test`
 * runs all of it.
 */
import { defineConfig } from 'vitest/config';
import { SHARED_PROCESS, testFiles } from './scripts/test-files.ts';

/** Each takes more than some seconds. */
const LONG = [
  'promises/*',
  'runtime/{busy,collection,dropped,manipulation,stop,walking}',
  'runtime/host/signed-{desk,fuzz}',
  'runtime/rcw/{fuzz,signed-fuzz-body,upper-body}',
  'simulation/{cubes,joint-arms,joint-arms-changes,joint-arms-dynamics,world}',
  'simulation/humanoid/gait',
];

export default defineConfig({
  test: {
    include: testFiles().shared,
    exclude: LONG.map((names) => `tests/${names}.test.ts`),
    ...SHARED_PROCESS,
    // A busy machine is no failure.
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
