import { expect, it, vi } from 'vitest';
import { COMING_MS, NOBODY_WATCHES } from '../../../src/protocol/world-stream/audience.ts';
import { WorldReader } from '../../../src/protocol/world-stream/world-reader.ts';
import { createWorldStream } from '../../../src/runtime/host/world-stream.ts';
import { createChance } from '../../oracle/chance.ts';
import { randomWorld } from '../../protocol/world-stream/random-world.ts';

const WORLD = randomWorld(createChance(1));
const PRESENT = { present: true, isNew: true, isComing: false };
const COMING = { present: false, isNew: true, isComing: true };

/** A stream that is asked after each step of 8 ms. */
function streamed() {
  let nowMs = 1_000_000;
  let world = WORLD;
  const packets: Uint8Array[] = [];
  const snapshot = vi.fn(() => ({ ...world, stepTimeMs: WORLD.stepTimeMs + nowMs }));
  const stream = createWorldStream({ snapshot, send: (sent) => packets.push(...sent), monotonicMs: () => nowMs, streamId: 3 });
  return {
    stream,
    snapshot,
    packets,
    breakWorld: () => {
      world = { ...world, state: { ...world.state, simTimeS: Number.NaN } };
    },
    pass(ms: number) {
      for (const untilMs = nowMs + ms; nowMs < untilMs; nowMs += 8) stream.sendDue();
    },
  };
}

it('the world is not read while there are no watchers, before and after', () => {
  const { stream, snapshot, pass, packets } = streamed();
  pass(5_000);
  expect(snapshot).not.toHaveBeenCalled();
  stream.note(PRESENT);
  pass(1_000);
  expect(packets.length).toBeGreaterThan(0);
  stream.note(NOBODY_WATCHES);
  snapshot.mockClear();
  pass(5_000);
  expect(snapshot).not.toHaveBeenCalled();
});

it('a watcher that comes while others watch receives everything within a fifth of a second', () => {
  const { stream, packets, pass } = streamed();
  stream.note(PRESENT);
  pass(200);
  packets.length = 0;
  stream.note({ present: true, isNew: true, isComing: false });
  pass(200);
  expect(packets.length).toBeGreaterThan(0);
  expect(packets.map((packet) => new WorldReader().take(packet, 0)).at(-1)).not.toBeNull();
});

it('the world is streamed before a watcher is reported, for as long as its arrival may take', () => {
  const { stream, packets, pass } = streamed();
  stream.note(COMING);
  pass(COMING_MS - 8);
  const waited = packets.length;
  // Twice a second, because nothing moves.
  expect(waited).toBeGreaterThan((COMING_MS / 1_000) * 2 - 2);
  pass(10_000);
  expect(packets.length - waited).toBeLessThanOrEqual(1);
});

it('a broken world is not streamed, and stops nothing', () => {
  const { stream, packets, pass, breakWorld } = streamed();
  stream.note(PRESENT);
  breakWorld();
  pass(1_000);
  expect(packets).toEqual([]);
});
