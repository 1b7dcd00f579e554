import { expect, it } from 'vitest';
import { createRoomPatience, rejoinWaitMs } from '../../src/protocol/room/rejoin-wait.ts';

/** Promised after an outage of any length. */
const BACK_WITHIN_MS = 5_000;
/** The longest of hundreds of joins, on a machine with other work. */
const JOIN_MS = 1_700;

it('waits longer after each failure, but never so long that a join after it would be late', () => {
  for (let failures = 1; failures < 100; failures += 1) {
    const [least, most] = [rejoinWaitMs(failures, 0), rejoinWaitMs(failures, 1)];
    expect(least).toBeGreaterThan(0);
    expect(most).toBeGreaterThan(least);
    expect(most + JOIN_MS).toBeLessThan(BACK_WITHIN_MS);
    if (failures > 1) expect(least).toBeGreaterThanOrEqual(rejoinWaitMs(failures - 1, 0));
  }
});

it('an attempt that follows a success does not wait', () => {
  expect(rejoinWaitMs(0, 1)).toBe(0);
});

it('waits 10 s for a missing room, from the first time that it was missing', () => {
  let nowMs = 5_000;
  const mayBeBack = createRoomPatience(() => nowMs);
  nowMs = 60_000;
  expect(mayBeBack()).toBe(true);
  nowMs = 70_000;
  expect(mayBeBack()).toBe(true);
  nowMs = 70_001;
  expect(mayBeBack()).toBe(false);
});
