import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**'],
    globalSetup: ['tests/control-service/helpers/shared-postgres.ts'],
    // Far more than any test takes: a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
