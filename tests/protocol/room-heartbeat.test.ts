/** When a room counts as silent, by a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { startHeartbeat } from '../../src/protocol/room/room-heartbeat.ts';
import { ROOM_HEARTBEAT_MS, ROOM_SILENT_AFTER_MS } from '../../src/protocol/wire/limits.ts';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import { createFakeClock } from './helpers/fake-clock.ts';

interface ChannelOptions {
  roundTripMs?: number;
  /** Returns whether a heartbeat, or its acknowledgement, is lost. */
  isLost?: () => boolean;
}

/** A heartbeat over a connection that the test controls, with its reports and their times. */
function createHeartbeat({ roundTripMs = 10, isLost = () => false }: ChannelOptions = {}) {
  const clock = createFakeClock();
  const said: { what: 'silent' | 'heard' | 'stale'; atMs: number; unheardMs: number }[] = [];
  const channel = {
    cut: false,
    looksHang: false,
    heartbeatsHang: false,
    heartbeats: 0,
    packets: 1,
    answers: 0,
    lastPacketAtMs: 0,
  };
  const heartbeat = startHeartbeat(
    {
      sendHeartbeat() {
        channel.heartbeats += 1;
        if (channel.heartbeatsHang) return new Promise(() => {});
        if (!channel.cut && !isLost()) {
          clock.after(roundTripMs, () => {
            if (channel.cut) return;
            channel.packets += 1;
            channel.answers += 1;
            channel.lastPacketAtMs = clock.nowMs();
          });
        }
        return Promise.resolve();
      },
      received: () =>
        channel.looksHang
          ? new Promise(() => {})
          : Promise.resolve({ all: new Map([['pair', channel.packets]]), answers: new Map([['pair', channel.answers]]) }),
    },
    clock,
    {
      onSilent: (unheardMs) => said.push({ what: 'silent', atMs: clock.nowMs(), unheardMs }),
      onHeard: (unheardMs) => said.push({ what: 'heard', atMs: clock.nowMs(), unheardMs }),
      onStale: (unheardMs) => said.push({ what: 'stale', atMs: clock.nowMs(), unheardMs }),
    },
  );
  return { clock, said, channel, heartbeat };
}

describe('a room that falls silent', () => {
  it.each([0, 40, 90, 130, 240])(
    'a silent room is noticed within 2 s and a heartbeat of its last packet, cut %i ms after a heartbeat',
    async (offsetMs) => {
      const { clock, said, channel } = createHeartbeat();
      await clock.pass(4 * ROOM_HEARTBEAT_MS + offsetMs);
      channel.cut = true;
      await clock.pass(10_000);
      expect(said.map(({ what }) => what)).toEqual(['silent']);
      const afterMs = (said[0]?.atMs ?? 0) - channel.lastPacketAtMs;
      expect(afterMs).toBeLessThanOrEqual(ROOM_SILENT_AFTER_MS + ROOM_HEARTBEAT_MS);
      expect(afterMs).toBeGreaterThanOrEqual(ROOM_SILENT_AFTER_MS - ROOM_HEARTBEAT_MS);
    },
  );

  it('a silent room is not reported too early, and its return is reported within a heartbeat', async () => {
    const { clock, said, channel, heartbeat } = createHeartbeat();
    await clock.pass(1_000);
    channel.cut = true;
    await clock.pass(1_500);
    channel.cut = false;
    await clock.pass(10_000);
    expect(said).toEqual([]);
    channel.cut = true;
    await clock.pass(5_000);
    expect(heartbeat.isSilent()).toBe(true);
    const backAtMs = clock.nowMs();
    channel.cut = false;
    await clock.pass(5_000);
    expect(said.map(({ what }) => what)).toEqual(['silent', 'heard']);
    expect((said[1]?.atMs ?? 0) - backAtMs).toBeLessThanOrEqual(2 * ROOM_HEARTBEAT_MS);
    expect(heartbeat.isSilent()).toBe(false);
  });

  it('a silent room is noticed although its statistics do not answer any more', async () => {
    const { clock, said, channel } = createHeartbeat();
    await clock.pass(1_000);
    channel.looksHang = true;
    await clock.pass(3_000);
    expect(said).toMatchObject([{ what: 'silent' }]);
  });

  it('a silent room gets only a few unanswered heartbeats', async () => {
    const { clock, channel } = createHeartbeat();
    channel.cut = true;
    channel.heartbeatsHang = true;
    await clock.pass(60_000);
    expect(channel.heartbeats).toBeLessThan(10);
  });

  it('a silent room is not reported after the heartbeat was stopped', async () => {
    const { clock, said, channel, heartbeat } = createHeartbeat();
    await clock.pass(1_000);
    channel.cut = true;
    heartbeat.stop();
    const { heartbeats } = channel;
    await clock.pass(10_000);
    expect([said, channel.heartbeats]).toEqual([[], heartbeats]);
  });
});

describe('a room that is joined again', () => {
  it.each([7_500, 15_000, 60_000])(
    'a room is joined again if it answers after %i ms, because the old connection would deliver waiting packets as late again',
    async (cutMs) => {
      const { clock, said, channel } = createHeartbeat();
      await clock.pass(1_000);
      channel.cut = true;
      await clock.pass(cutMs);
      channel.cut = false;
      await clock.pass(1_000);
      expect(said.map(({ what }) => what)).toEqual(['silent', 'stale']);
      expect(said[1]?.unheardMs).toBeGreaterThanOrEqual(cutMs);
    },
  );

  it('a room is joined again if it sends all the time but acknowledges nothing for as long', async () => {
    const { clock, said, channel } = createHeartbeat();
    await clock.pass(1_000);
    channel.cut = true;
    for (let sent = 0; sent < 80; sent += 1) {
      channel.packets += 1;
      await clock.pass(100);
    }
    channel.cut = false;
    await clock.pass(1_000);
    expect(said.map(({ what }) => what)).toEqual(['stale']);
  });

  it('a room that gave its first answer late is not joined again', async () => {
    const { clock, said, channel } = createHeartbeat();
    channel.cut = true;
    for (let sent = 0; sent < 100; sent += 1) {
      channel.packets += 1;
      await clock.pass(100);
    }
    channel.cut = false;
    await clock.pass(5_000);
    expect(said).toEqual([]);
  });
});

describe('a room that answers', () => {
  it('a room with a round trip of 600 ms does not count as silent', async () => {
    const { clock, said } = createHeartbeat({ roundTripMs: 600 });
    await clock.pass(60_000);
    expect(said).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])(
    'a room does not count as silent with every fifth packet lost each way, for ten minutes (seed %i)',
    async (seed) => {
      const random = createRandom(seed);
      const { clock, said } = createHeartbeat({ roundTripMs: 600, isLost: () => nextFloat(random) < 1 - 0.8 * 0.8 });
      await clock.pass(600_000);
      expect(said).toEqual([]);
    },
  );

  it('a room does not count as silent because its process was suspended', async () => {
    const { clock, said } = createHeartbeat({ roundTripMs: 600 });
    for (let round = 0; round < 10; round += 1) {
      await clock.pass(3_000);
      clock.freeze(5_000);
    }
    await clock.pass(3_000);
    expect(said).toEqual([]);
  });

  it('a room does not count as silent for a process that runs only once in three seconds', async () => {
    const { clock, said } = createHeartbeat();
    for (let round = 0; round < 20; round += 1) {
      await clock.pass(50);
      clock.freeze(3_000);
    }
    expect(said).toEqual([]);
  });
});
