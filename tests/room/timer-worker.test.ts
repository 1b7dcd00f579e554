import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TimerRequest } from '../../src/room/timer-worker.ts';

const REPORT = { url: '/seat', body: '{"report":"busy"}', afterMs: 1_000 };
let hear: (request: TimerRequest) => void;
const sent: string[] = [];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  sent.length = 0;
  vi.stubGlobal('self', {
    postMessage: () => {},
    addEventListener: (_type: string, listener: (event: { data: TimerRequest }) => void) => {
      hear = (data) => listener({ data });
    },
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push(`${init.method} ${url} ${String(init.body)}`);
    return new Response();
  });
  await import('../../src/room/timer-worker.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('the timer worker reports nothing as long as the main thread sets its timers', async () => {
  hear({ kind: 'busy', report: REPORT });
  for (let id = 1; id <= 40; id += 1) {
    hear({ kind: 'set', id, delayMs: 250, repeat: false });
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(sent).toEqual([]);
});

it('the timer worker reports each second in which the main thread is blocked, at least twice before a holder counts as dead', async () => {
  hear({ kind: 'busy', report: REPORT });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(sent.length).toBeGreaterThanOrEqual(2);
  expect(new Set(sent)).toEqual(new Set(['POST /seat {"report":"busy"}']));
  hear({ kind: 'clear', id: 1 });
  sent.length = 0;
  await vi.advanceTimersByTimeAsync(900);
  expect(sent).toEqual([]);
});

it('the timer worker reports nothing after the page left its room', async () => {
  hear({ kind: 'busy', report: REPORT });
  hear({ kind: 'busy', report: null });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([]);
});
