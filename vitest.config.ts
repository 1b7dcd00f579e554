import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';
import { SETUP, SHARED_PROCESS, STARTED_FAST, testFiles } from './scripts/test-files.ts';

const { shared, services, timed, alone } = testFiles();
const SERVER_GLOBALS = 'tests/control-service/helpers/server-globals.ts';
const DATABASE_SERVER = 'tests/control-service/helpers/shared-postgres.ts';

const WAITS = {
  // Far more than any test takes: a busy machine is no failure.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
};

/** What computes, or judges times, has a core for each file. */
const AFTERWARDS = { maxWorkers: 2, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...WAITS,
          ...STARTED_FAST,
          name: 'alone',
          include: alone,
          globalSetup: [DATABASE_SERVER],
          setupFiles: SETUP,
          // They wait for servers and robots most of their time.
          maxWorkers: 6,
        },
      },
      {
        test: {
          ...WAITS,
          ...AFTERWARDS,
          name: 'timed',
          include: timed,
          globalSetup: [DATABASE_SERVER],
          setupFiles: SETUP,
        },
      },
      {
        test: {
          ...WAITS,
          ...AFTERWARDS,
          name: 'services',
          include: services,
          globalSetup: [DATABASE_SERVER],
          ...SHARED_PROCESS,
          setupFiles: [SERVER_GLOBALS, ...SHARED_PROCESS.setupFiles],
        },
      },
      { test: { ...WAITS, ...AFTERWARDS, name: 'shared', include: shared, ...SHARED_PROCESS } },
    ],
  },
});
