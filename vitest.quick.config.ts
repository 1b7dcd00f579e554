/**
 * `npm run test:quick`: what needs neither server nor browser, without the longest of it. For the minutes between two edits; `npm test`
 * runs all of it.
 */
import { defineConfig } from 'vitest/config';
import { readDurations } from './scripts/test-durations.ts';
import { SHARED_PROCESS, testFiles } from './scripts/test-files.ts';

/** A file that takes longer is left to `npm test`. */
const LONGEST_S = 1;
const durations = readDurations();

export default defineConfig({
  test: {
    include: testFiles().shared.filter((file) => (durations[file] ?? 0) <= LONGEST_S),
    ...SHARED_PROCESS,
    // A busy machine is no failure.
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
