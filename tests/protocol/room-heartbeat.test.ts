/** When a room counts as silent, by a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { ROOM_BEAT_MS, ROOM_SILENT_AFTER_MS } from '../../src/protocol/limits.ts';
import { startHeartbeat } from '../../src/protocol/room-heartbeat.ts';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import { createFakeClock } from './helpers/fake-clock.ts';

interface LineOptions {
  roundTripMs?: number;
  /** Returns whether a heartbeat, or its acknowledgement, is lost. */
  isLost?: () => boolean;
}

/** A heartbeat over a connection that the test controls, with its reports and their times. */
function createBeating({ roundTripMs = 10, isLost = () => false }: LineOptions = {}) {
  const clock = createFakeClock();
  const said: { what: 'silent' | 'heard' | 'stale'; atMs: number; unheardMs: number }[] = [];
  const line = { cut: false, looksHang: false, beatsHang: false, beats: 0, packets: 1, answers: 0, lastPacketAtMs: 0 };
  const heartbeat = startHeartbeat(
    {
      beat() {
        line.beats += 1;
        if (line.beatsHang) return new Promise(() => {});
        if (!line.cut && !isLost()) {
          clock.after(roundTripMs, () => {
            if (line.cut) return;
            line.packets += 1;
            line.answers += 1;
            line.lastPacketAtMs = clock.nowMs();
          });
        }
        return Promise.resolve();
      },
      received: () =>
        line.looksHang
          ? new Promise(() => {})
          : Promise.resolve({ all: new Map([['pair', line.packets]]), answers: new Map([['pair', line.answers]]) }),
    },
    clock,
    {
      onSilent: (unheardMs) => said.push({ what: 'silent', atMs: clock.nowMs(), unheardMs }),
      onHeard: (unheardMs) => said.push({ what: 'heard', atMs: clock.nowMs(), unheardMs }),
      onStale: (unheardMs) => said.push({ what: 'stale', atMs: clock.nowMs(), unheardMs }),
    },
  );
  return { clock, said, line, heartbeat };
}

describe('a room that falls silent', () => {
  it.each([0, 40, 90, 130, 240])(
    'a silent room is noticed within 2 s and a heartbeat of its last packet, cut %i ms after a heartbeat',
    async (offsetMs) => {
      const { clock, said, line } = createBeating();
      await clock.pass(4 * ROOM_BEAT_MS + offsetMs);
      line.cut = true;
      await clock.pass(10_000);
      expect(said.map(({ what }) => what)).toEqual(['silent']);
      const afterMs = (said[0]?.atMs ?? 0) - line.lastPacketAtMs;
      expect(afterMs).toBeLessThanOrEqual(ROOM_SILENT_AFTER_MS + ROOM_BEAT_MS);
      expect(afterMs).toBeGreaterThanOrEqual(ROOM_SILENT_AFTER_MS - ROOM_BEAT_MS);
    },
  );

  it('a silent room is not reported too early, and its return is reported within a heartbeat', async () => {
    const { clock, said, line, heartbeat } = createBeating();
    await clock.pass(1_000);
    line.cut = true;
    await clock.pass(1_500);
    line.cut = false;
    await clock.pass(10_000);
    expect(said).toEqual([]);
    line.cut = true;
    await clock.pass(5_000);
    expect(heartbeat.isSilent()).toBe(true);
    const backAtMs = clock.nowMs();
    line.cut = false;
    await clock.pass(5_000);
    expect(said.map(({ what }) => what)).toEqual(['silent', 'heard']);
    expect((said[1]?.atMs ?? 0) - backAtMs).toBeLessThanOrEqual(2 * ROOM_BEAT_MS);
    expect(heartbeat.isSilent()).toBe(false);
  });

  it('a silent room is noticed although its statistics do not answer any more', async () => {
    const { clock, said, line } = createBeating();
    await clock.pass(1_000);
    line.looksHang = true;
    await clock.pass(3_000);
    expect(said).toMatchObject([{ what: 'silent' }]);
  });

  it('a silent room gets only a few unanswered heartbeats', async () => {
    const { clock, line } = createBeating();
    line.cut = true;
    line.beatsHang = true;
    await clock.pass(60_000);
    expect(line.beats).toBeLessThan(10);
  });

  it('a silent room is not reported after the heartbeat was stopped', async () => {
    const { clock, said, line, heartbeat } = createBeating();
    await clock.pass(1_000);
    line.cut = true;
    heartbeat.stop();
    const { beats } = line;
    await clock.pass(10_000);
    expect([said, line.beats]).toEqual([[], beats]);
  });
});

describe('a room that is joined again', () => {
  it.each([7_500, 15_000, 60_000])(
    'a room is joined again if it answers after %i ms, because the old connection would deliver waiting packets as late again',
    async (cutMs) => {
      const { clock, said, line } = createBeating();
      await clock.pass(1_000);
      line.cut = true;
      await clock.pass(cutMs);
      line.cut = false;
      await clock.pass(1_000);
      expect(said.map(({ what }) => what)).toEqual(['silent', 'stale']);
      expect(said[1]?.unheardMs).toBeGreaterThanOrEqual(cutMs);
    },
  );

  it('a room is joined again if it sends all the time but acknowledges nothing for as long', async () => {
    const { clock, said, line } = createBeating();
    await clock.pass(1_000);
    line.cut = true;
    for (let sent = 0; sent < 80; sent += 1) {
      line.packets += 1;
      await clock.pass(100);
    }
    line.cut = false;
    await clock.pass(1_000);
    expect(said.map(({ what }) => what)).toEqual(['stale']);
  });

  it('a room that gave its first answer late is not joined again', async () => {
    const { clock, said, line } = createBeating();
    line.cut = true;
    for (let sent = 0; sent < 100; sent += 1) {
      line.packets += 1;
      await clock.pass(100);
    }
    line.cut = false;
    await clock.pass(5_000);
    expect(said).toEqual([]);
  });
});

describe('a room that answers', () => {
  it('a room with a round trip of 600 ms does not count as silent', async () => {
    const { clock, said } = createBeating({ roundTripMs: 600 });
    await clock.pass(60_000);
    expect(said).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])(
    'a room does not count as silent with every fifth packet lost each way, for ten minutes (seed %i)',
    async (seed) => {
      const random = createRandom(seed);
      const { clock, said } = createBeating({ roundTripMs: 600, isLost: () => nextFloat(random) < 1 - 0.8 * 0.8 });
      await clock.pass(600_000);
      expect(said).toEqual([]);
    },
  );

  it('a room does not count as silent because its process was suspended', async () => {
    const { clock, said } = createBeating({ roundTripMs: 600 });
    for (let round = 0; round < 10; round += 1) {
      await clock.pass(3_000);
      clock.freeze(5_000);
    }
    await clock.pass(3_000);
    expect(said).toEqual([]);
  });

  it('a room does not count as silent for a process that runs only once in three seconds', async () => {
    const { clock, said } = createBeating();
    for (let round = 0; round < 20; round += 1) {
      await clock.pass(50);
      clock.freeze(3_000);
    }
    expect(said).toEqual([]);
  });
});
