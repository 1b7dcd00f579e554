/**
 * `npm run test:quick`: what needs neither server nor browser, without the longest of it. For the minutes between two edits; `npm test`
 * runs all of it.
 */
import { defineConfig } from 'vitest/config';

const ROOMS = ['cameras', 'client', 'docs', 'oracle', 'protocol', 'runtime', 'simulation', 'stage', 'test-run', 'ui', 'viewer'];

/** Each takes more than some seconds, or starts something of its own. */
const LONG = [
  'client/{package,python-service,room,service,tutorial}',
  'runtime/{busy,collection,dropped,manipulation,stop,walking}',
  'runtime/host/{flood,signed-desk,signed-fuzz}',
  'runtime/worker/{fuzz,signed-fuzz-body,upper-body}',
  'simulation/{cubes,joint-arms,joint-arms-changes,joint-arms-dynamics,world}',
  'simulation/body/gait',
];

export default defineConfig({
  test: {
    include: ROOMS.map((room) => `tests/${room}/**/*.test.ts`),
    exclude: LONG.map((names) => `tests/${names}.test.ts`),
    setupFiles: ['tests/client-models/setup.ts'],
    // A busy machine is no failure.
    testTimeout: 60_000,
    // The modules of a file are those of the next; none of these tests leaves anything behind in them.
    isolate: false,
    maxWorkers: 2,
  },
});
