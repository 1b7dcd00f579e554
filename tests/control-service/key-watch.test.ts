import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newMemory } from '../../src/control-service/instance-memory.ts';
import { KeyWatch } from '../../src/control-service/key-watch.ts';

/** The interval at which the keys of waiting requests are looked up. */

const EVERY_MS = 1_000;
/** Finishes the lookups in progress. */
let answers: (() => void)[] = [];
let looks = 0;
const look = () =>
  new Promise<unknown[]>((resolve) => {
    looks += 1;
    answers.push(() => resolve([{ id: 'k', revokedAt: null, expiresAt: null }]));
  });
const db = { select: () => ({ from: () => ({ where: look }) }) };
const newWatch = () => new KeyWatch({ db, clock: { nowMs: () => 0 }, log: () => {}, memory: newMemory() } as never, EVERY_MS);
const answer = () => {
  for (const end of answers.splice(0)) end();
};

beforeEach(() => {
  vi.useFakeTimers();
  answers = [];
  looks = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

/** @returns the number of lookups in ten intervals */
async function looksInTenIntervals(): Promise<number> {
  looks = 0;
  for (let k = 0; k < 10; k += 1) {
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    answer();
  }
  return looks;
}

it('keys are looked up once per interval, even if the last wait ended during a lookup and another began', async () => {
  const watch = newWatch();
  let wait = watch.watch('k');
  for (let k = 0; k < 5; k += 1) {
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    wait.over();
    wait = watch.watch('k');
    answer();
  }
  expect(await looksInTenIntervals()).toBe(10);
  wait.over();
});

it('no key is looked up while no request waits, even if the last wait ended during a lookup', async () => {
  const watch = newWatch();
  const wait = watch.watch('k');
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(looks).toBe(1);
  wait.over();
  answer();
  expect(await looksInTenIntervals()).toBe(0);
  watch.watch('k').over();
  expect(await looksInTenIntervals()).toBe(0);
});
