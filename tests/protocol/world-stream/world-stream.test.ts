import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../../src/protocol/world-stream/bytes.ts';
import { layOut, readShape } from '../../../src/protocol/world-stream/layout.ts';
import { WORLD_VERSION } from '../../../src/protocol/world-stream/packet.ts';
import {
  PACKET_MAX_BYTES,
  type WorldFrame,
  type WorldSnapshot,
  WorldStreamError,
} from '../../../src/protocol/world-stream/world-frame.ts';
import { WorldReader } from '../../../src/protocol/world-stream/world-reader.ts';
import {
  AT_REST_EVERY_MS,
  BYTES_PER_S_MAX,
  MOVING_EVERY_MS,
  WorldWriter,
} from '../../../src/protocol/world-stream/world-writer.ts';
import { type Chance, createChance } from '../../oracle/chance.ts';
import { randomQuat, randomWorld } from './random-world.ts';
import { expectSameWorld } from './same-world.ts';

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

interface Sent {
  bytes: Uint8Array;
  world: WorldSnapshot;
  atMs: number;
}

/** A changing world: things move a little, and from time to time something appears, disappears, or is reported. */
function moved(world: WorldSnapshot, chance: Chance): WorldSnapshot {
  if (chance.happens(0.05)) return { ...randomWorld(chance), stepTimeMs: world.stepTimeMs + MOVING_EVERY_MS };
  const { state } = world;
  return {
    ...world,
    stepTimeMs: world.stepTimeMs + MOVING_EVERY_MS,
    state: {
      ...state,
      step: state.step + 6,
      simTimeS: state.simTimeS + 0.05,
      rootPose: { ...state.rootPose, orientation: randomQuat(chance) },
      jointPositions: state.jointPositions.map((value) => value + chance.between(-0.1, 0.1)),
      things: state.things.map((thing) =>
        chance.happens(0.2)
          ? { ...thing, position: [chance.between(-9, 9), chance.between(-9, 9), chance.between(0, 2)] as const }
          : thing,
      ),
    },
  };
}

function stream(chance: Chance, frames: number, streamId = 7): Sent[] {
  const writer = new WorldWriter(streamId);
  let world = randomWorld(chance);
  return Array.from({ length: frames }, (_, index) => {
    const atMs = index * MOVING_EVERY_MS;
    const packets = writer.write(world, atMs).map((bytes): Sent => ({ bytes, world, atMs }));
    world = moved(world, chance);
    return packets;
  }).flat();
}

describe('a streamed world', () => {
  it.each(SEEDS)('a streamed world arrives unchanged, within the promised precision (seed %i)', (seed) => {
    const chance = createChance(seed);
    const reader = new WorldReader();
    const sent = stream(chance, 60);
    let frames = 0;
    for (const { bytes, world, atMs } of sent) {
      expect(bytes.length).toBeLessThanOrEqual(PACKET_MAX_BYTES);
      const frame = reader.take(bytes, atMs);
      if (frame === null) continue;
      frames += 1;
      expectSameWorld(frame, world);
    }
    expect(frames).toBe(60);
    expect(reader.counts).toEqual({ malformed: 0, withoutKey: 0 });
  });

  it.each(SEEDS)('a streamed world arrives correctly or not at all when packets are lost, late and doubled (seed %i)', (seed) => {
    const chance = createChance(seed);
    const sent = stream(chance, 200);
    const worldOf = new Map(sent.map(({ world }) => [world.stepTimeMs, world]));
    const way = sent
      .filter(() => !chance.happens(0.3))
      .flatMap((packet) => (chance.happens(0.1) ? [packet, packet] : [packet]))
      .map((packet, index) => ({ packet, at: index + (chance.happens(0.2) ? chance.between(0, 12) : 0) }))
      .sort((a, b) => a.at - b.at);
    const reader = new WorldReader();
    const shown: WorldFrame[] = [];
    for (const { packet } of way) {
      const frame = reader.take(packet.bytes, packet.atMs);
      if (frame) shown.push(frame);
    }
    for (const [index, frame] of shown.entries()) {
      expectSameWorld(frame, worldOf.get(frame.stepTimeMs) as WorldSnapshot);
      // The shown time never goes back.
      expect(frame.stepTimeMs).toBeGreaterThan(shown[index - 1]?.stepTimeMs ?? 0);
    }
    expect(shown.length).toBeGreaterThan(40);
    const came = new Set(way.map(({ packet }) => packet.bytes)).size;
    const lost = sent.length - came;
    // Losses before the first packet and after the last are unknown. Late packets count as lost until they arrive.
    expect(shown.at(-1)?.lostPackets).toBeLessThanOrEqual(lost + 12);
    expect(shown.at(-1)?.lostPackets).toBeGreaterThan(lost * 0.7);
    expect(reader.counts.malformed).toBe(0);
  });

  it.each(SEEDS)('a streamed world is not disturbed by packets that were damaged in transit or are invalid (seed %i)', (seed) => {
    const chance = createChance(seed);
    const reader = new WorldReader();
    const sent = stream(chance, 100);
    let shown = 0;
    for (const { bytes, world, atMs } of sent) {
      for (const bad of [truncated(bytes, chance), flipped(bytes, chance), noise(chance)])
        expect(reader.take(bad, atMs)).toBeNull();
      const frame = reader.take(bytes, atMs);
      if (frame) expectSameWorld(frame, world);
      if (frame) shown += 1;
    }
    expect(shown).toBe(100);
    expect(reader.counts).toEqual({ malformed: 3 * sent.length, withoutKey: 0 });
  });

  it.each(SEEDS)('the reader returns numbers or nothing, whatever the author of the packets writes (seed %i)', (seed) => {
    const chance = createChance(seed);
    const reader = new WorldReader();
    for (const { bytes, atMs } of stream(chance, 60)) {
      const content = flipped(bytes.subarray(0, -4), chance);
      const frame = reader.take(sealed(chance.happens(0.5) ? content : truncated(content, chance)), atMs);
      if (frame) expect(notFinite(frame)).toEqual([]);
    }
  });
});

describe('a stream of another version', () => {
  /** As SimpleSim wrote it before the stream included the driver. */
  const VERSION_1 =
    'AQAHANDOzOGfMwEAAU4Jd2FyZWhvdXNlBnBpY2tlcgVyZWFkeQZtb3ZpbmcJZ+sBaGUg8JoCIL6wA5a6Awd3YWxraW5nAAAJAAACA3BvdghjYW1lcmFfMAAAAACitsGsA5q9ivlEjOfZGdfmBgCznwHHngG0S7RgvMUGhIIH5oQJxZoGh8UCsN8GysoEkYcEuuAGAKG6AdvWCJiXAZCDAd0FxJ8BpGoAALeBBcSyAYFXq50ByCSWoQEpR0of';

  it('a stream of an older robot shows nothing, and the reader reports its version', () => {
    const reader = new WorldReader();
    expect(
      reader.take(
        Uint8Array.from(atob(VERSION_1), (char) => char.charCodeAt(0)),
        0,
      ),
    ).toBeNull();
    expect(reader.otherVersion).toBe(1);
    expect(reader.counts).toEqual({ malformed: 1, withoutKey: 0 });
  });

  it('a stream of a newer robot shows nothing, until a readable packet arrives', () => {
    const reader = new WorldReader();
    const [{ bytes }] = stream(createChance(1), 1) as [Sent];
    const newer = bytes.slice(0, -4);
    newer[0] = WORLD_VERSION + 1;
    expect(reader.take(sealed(newer), 0)).toBeNull();
    expect(reader.otherVersion).toBe(WORLD_VERSION + 1);
    // Packets that were only damaged in transit have no version.
    const broken = bytes.slice();
    broken[0] = 77;
    expect(reader.take(broken, 0)).toBeNull();
    expect(reader.otherVersion).toBe(WORLD_VERSION + 1);
    for (const packet of stream(createChance(2), 1)) reader.take(packet.bytes, 1);
    expect(reader.otherVersion).toBeNull();
  });

  it('a stream names at most one driver', () => {
    const world = randomWorld(createChance(3));
    const driver = { identity: 'ann', name: 'Ann', kind: 'agent', since_ms: 12 } as const;
    const { names } = layOut({ ...world, status: { ...world.status, driver } });
    expect(readShape(names).status.driver).toEqual(driver);
    const long = { ...driver, identity: 'x'.repeat(256), name: 'y'.repeat(64) };
    expect(readShape(layOut({ ...world, status: { ...world.status, driver: long } }).names).status.driver?.name).toBe(long.name);
  });
});

const truncated = (bytes: Uint8Array, chance: Chance): Uint8Array => bytes.slice(0, chance.below(bytes.length));
function flipped(bytes: Uint8Array, chance: Chance): Uint8Array {
  const other = bytes.slice();
  const at = chance.below(other.length);
  other[at] = (other[at] ?? 0) ^ (1 << chance.below(8));
  return other;
}
const noise = (chance: Chance): Uint8Array => Uint8Array.from({ length: chance.below(1_300) }, () => chance.below(256));

function sealed(content: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.append(content);
  return writer.sealed();
}

function notFinite(value: unknown): number[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(notFinite) : [];
}

describe('a reader', () => {
  const chance = createChance(1);
  const world = randomWorld(chance);
  const key = (streamId: number, snapshot: WorldSnapshot, nowMs = 0) => new WorldWriter(streamId).write(snapshot, nowMs);

  it('the reader assembles a large world from its parts in any order, and shows nothing before', () => {
    const large = { ...world, state: { ...world.state, things: randomWorld(createChance(3), 400).state.things } };
    expect(large.state.things.length).toBeGreaterThan(100);
    const parts = key(7, large).reverse();
    expect(parts.length).toBeGreaterThan(3);
    const reader = new WorldReader();
    const frames = parts.map((part) => reader.take(part, 0));
    expect(frames.slice(0, -1).every((frame) => frame === null)).toBe(true);
    expectSameWorld(frames.at(-1) as WorldFrame, large);
  });

  it('the reader switches to a restarted runtime, and ignores late packets of the previous one', () => {
    const reader = new WorldReader();
    const later = { ...world, stepTimeMs: world.stepTimeMs + 1_000 };
    expect(reader.take(key(7, world)[0] as Uint8Array, 0)).not.toBeNull();
    expect(reader.take(key(8, later)[0] as Uint8Array, 1_000)?.stepTimeMs).toBe(later.stepTimeMs);
    expect(reader.take(key(7, { ...world, stepTimeMs: world.stepTimeMs + 500 })[0] as Uint8Array, 1_010)).toBeNull();
    // A machine whose clock is behind is accepted once the other has fallen silent.
    const behind = { ...world, stepTimeMs: world.stepTimeMs - 60_000 };
    expect(reader.take(key(9, behind)[0] as Uint8Array, 2_000)).toBeNull();
    expect(reader.take(key(9, behind)[0] as Uint8Array, 4_000)?.stepTimeMs).toBe(behind.stepTimeMs);
  });

  it('the reader reports how much longer a packet took than the fastest, whatever the two clocks show', () => {
    const reader = new WorldReader();
    const writer = new WorldWriter(7);
    const delays = [30, 10, 250, 10].map((wayMs, index) => {
      const at = { ...moved(world, createChance(5)), stepTimeMs: world.stepTimeMs + index * 500 };
      const [packet] = writer.write(at, index * 500);
      return reader.take(packet as Uint8Array, index * 500 + wayMs)?.delayMs;
    });
    expect(delays).toEqual([0, 0, 240, 0]);
  });

  it('the reader allocates nothing for content that a packet only claims', () => {
    const reader = new WorldReader();
    const claims = [
      [0, 1, 0, 1, 1, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f],
      [0, 1, 0, 1, 1, 15, 16, 1],
      [0, 1, 0, 1, 1, 200, 1, 201, 1, 1],
      [1, 1, 1, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 1],
      [7, 1, 0, 1, 1, 0, 1],
      new Array(PACKET_MAX_BYTES).fill(1),
    ];
    for (const claim of claims) expect(reader.take(sealed(Uint8Array.of(WORLD_VERSION, ...claim)), 0)).toBeNull();
    // A last part alone, and a change without its key state, are valid packets, but show nothing.
    expect(reader.counts).toEqual({ malformed: claims.length - 2, withoutKey: 1 });
  });

  it('the reader keeps bounded memory however many key states begin and never end', () => {
    const reader = new WorldReader();
    const before = key(7, world)[0] as Uint8Array;
    expect(reader.take(before, 0)).not.toBeNull();
    for (let index = 0; index < 2_000; index += 1) {
      const number = [...varint(7), ...varint(1 + (index % 900)), ...varint(world.stepTimeMs), ...varint(5 + index)];
      reader.take(sealed(Uint8Array.from([1, 0, ...number, 0, 16, ...new Array(1_000).fill(0)])), index);
    }
    expect(JSON.stringify(reader).length).toBeLessThan(50_000);
  });
});

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) | 128);
    if (rest < 128) return bytes;
  }
}

describe('a writer', () => {
  const world = randomWorld(createChance(11));
  const at = (index: number): WorldSnapshot => ({
    ...world,
    stepTimeMs: world.stepTimeMs + index,
    state: { ...world.state, step: world.state.step + index, simTimeS: world.state.simTimeS + index / 1000 },
  });

  it('the writer sends a world at rest twice a second, and a moving one 20 times, however often it is asked', () => {
    const writer = new WorldWriter(7);
    let rest = 0;
    for (let ms = 0; ms < 10_000; ms += 8) if (writer.isDue(ms)) rest += writer.write(at(ms), ms).length;
    expect(rest).toBeLessThanOrEqual(10_000 / AT_REST_EVERY_MS + 1);
    expect(rest).toBeGreaterThanOrEqual(10_000 / AT_REST_EVERY_MS - 1);
    let moving = 0;
    const chance = createChance(2);
    for (let ms = 10_000; ms < 20_000; ms += 8)
      if (writer.isDue(ms)) moving += writer.write({ ...moved(at(ms), chance), sceneId: world.sceneId }, ms).length > 0 ? 1 : 0;
    expect(moving).toBeGreaterThanOrEqual(195);
    expect(moving).toBeLessThanOrEqual(201);
  });

  it('the writer sends everything to a new watcher at once', () => {
    const writer = new WorldWriter(7);
    writer.write(at(0), 0);
    expect(writer.isDue(10)).toBe(false);
    const reported: unknown[] = [];
    for (let ms = 50; ms <= 400; ms += 50) {
      // Many watchers come, one after the other.
      writer.beginAnew();
      for (const packet of writer.write(at(ms), ms)) reported.push(new WorldReader().take(packet, 0)?.state.step);
    }
    // Together, five times a second.
    expect(reported).toEqual([world.state.step + 200, world.state.step + 400]);
  });

  const anew = (writer: WorldWriter, large: WorldSnapshot): WorldSnapshot => {
    writer.beginAnew();
    return large;
  };
  const acting = (_: WorldWriter, large: WorldSnapshot, ms: number): WorldSnapshot => ({
    ...large,
    status: { ...large.status, action: `${ms}` },
  });
  it.each([
    ['a crowd of newcomers', anew],
    ['an action after the other', acting],
  ])('the writer stays within its rate, in a crowded world too: %s', (_what, happens) => {
    const writer = new WorldWriter(7);
    const large = { ...world, state: { ...world.state, things: randomWorld(createChance(3), 400).state.things } };
    let bytes = 0;
    let frames = 0;
    const reader = new WorldReader();
    for (let ms = 0; ms < 20_000; ms += 8) {
      if (!writer.isDue(ms)) continue;
      for (const packet of writer.write(happens(writer, { ...large, stepTimeMs: large.stepTimeMs + ms }, ms), ms)) {
        bytes += packet.length;
        if (reader.take(packet, ms)) frames += 1;
      }
    }
    expect(bytes / 20).toBeLessThan(BYTES_PER_S_MAX);
    expect(bytes / 20).toBeGreaterThan(BYTES_PER_S_MAX / 4);
    expect(frames).toBeGreaterThan(10);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e12])('the writer does not send a broken world (%f)', (bad) => {
    const broken = { ...world, state: { ...world.state, rootPose: { ...world.state.rootPose, position: [bad, 0, 0] as const } } };
    expect(() => new WorldWriter(7).write(broken, 0)).toThrow(WorldStreamError);
  });
});
