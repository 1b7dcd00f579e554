/** When the host has its world kept: often enough that a reload loses a second at most, and soon after important changes. */
import { describe, expect, it } from 'vitest';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import { createFakeRuntime } from '../../viewer/fake-runtime.ts';

/** A host on a clock that moves only while it sleeps. */
function createHost() {
  const { runtime } = createFakeRuntime();
  const keptAtMs: number[] = [];
  const clock = { nowMs: 0, untilMs: 0, isKeeping: true, at: new Map<number, () => void>() };
  const host = createSimulationHost({
    runtime,
    post: () => undefined,
    async sleep(ms) {
      clock.nowMs += Math.max(0.05, ms);
      for (const [atMs, act] of clock.at) if (clock.nowMs >= atMs && clock.at.delete(atMs)) act();
      if (clock.nowMs >= clock.untilMs) host.stop();
    },
    monotonicMs: () => clock.nowMs,
    wallMs: () => 1_800_000_000_000 + clock.nowMs,
    hidden: false,
    keeper: { isKeeping: () => clock.isKeeping, keep: () => void keptAtMs.push(clock.nowMs) },
  });
  return {
    host,
    clock,
    keptAtMs,
    async runFor(ms: number) {
      clock.untilMs = clock.nowMs + ms;
      await host.run();
    },
  };
}
const gaps = (times: readonly number[]): number[] => times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));

describe('a host with a keeper', () => {
  it('a host has its world kept every half second', async () => {
    const { keptAtMs, runFor } = createHost();
    await runFor(10_000);
    expect(Math.max(...gaps(keptAtMs))).toBeLessThan(520);
    expect(keptAtMs.length).toBeLessThanOrEqual(21);
  });

  it('a host has its world kept at once at the end of an action, but at most ten times a second', async () => {
    const { host, clock, keptAtMs, runFor } = createHost();
    clock.at.set(250, () => host.keepSoon());
    for (let atMs = 2_000; atMs < 3_000; atMs += 9) clock.at.set(atMs, () => host.keepSoon());
    await runFor(3_000);
    expect(keptAtMs.filter((atMs) => atMs >= 250 && atMs < 270)).toHaveLength(1);
    expect(keptAtMs.filter((atMs) => atMs >= 2_000).length).toBeLessThanOrEqual(11);
    expect(Math.min(...gaps(keptAtMs))).toBeGreaterThanOrEqual(100);
  });

  it('a host keeps nothing while it has no storage', async () => {
    const { clock, keptAtMs, runFor } = createHost();
    clock.isKeeping = false;
    await runFor(2_000);
    expect(keptAtMs).toEqual([]);
  });
});
