import { defineConfig } from 'vitest/config';
import { SETUP, SHARED_PROCESS, testFiles } from './scripts/test-files.ts';

const { shared, services, alone } = testFiles();
const SERVER_GLOBALS = 'tests/control-service/helpers/server-globals.ts';
const DATABASE_SERVER = 'tests/control-service/helpers/shared-postgres.ts';

const WAITS = {
  // Far more than any test takes: a busy machine is no failure.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    // A file waits for servers and browsers half of its time, so two share two cores well; vitest itself would take one.
    // It stands here and in no project, so that `--maxWorkers` counts.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...WAITS,
          name: 'alone',
          include: alone,
          globalSetup: [DATABASE_SERVER],
          setupFiles: [SETUP],
        },
      },
      {
        test: {
          ...WAITS,
          name: 'services',
          include: services,
          globalSetup: [DATABASE_SERVER],
          ...SHARED_PROCESS,
          setupFiles: [SERVER_GLOBALS, ...SHARED_PROCESS.setupFiles],
        },
      },
      { test: { ...WAITS, name: 'shared', include: shared, ...SHARED_PROCESS } },
    ],
  },
});
