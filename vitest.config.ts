import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**'],
    globalSetup: ['tests/control-service/helpers/shared-postgres.ts'],
    setupFiles: ['tests/client-models/setup.ts'],
    // Far more than any test takes: a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // A file waits for servers and browsers half of its time, so two share two cores well; vitest itself would take one.
    maxWorkers: 2,
  },
});
