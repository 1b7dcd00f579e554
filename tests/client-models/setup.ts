/** Runs before every test file: checks answers of the control service against the client models, and counts those that passed. */
import { afterAll, afterEach, expect, vi } from 'vitest';
import { takeProblems } from './check.ts';
import { reportCounts } from './reports.ts';
import { watchApp, watchFetch } from './watch-http.ts';

vi.mock('../../src/control-service/app.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/control-service/app.ts')>();
  return { ...original, createApp: (...given: Parameters<typeof original.createApp>) => watchApp(original.createApp(...given)) };
});
watchFetch();

const nothingRefused = (): void => expect(takeProblems()).toEqual([]);
afterEach(nothingRefused);
afterAll(() => {
  reportCounts();
  nothingRefused();
});
