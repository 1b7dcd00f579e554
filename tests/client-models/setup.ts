/** For every test file: answers of the control service are held against the client models, and what passed is counted. */
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
