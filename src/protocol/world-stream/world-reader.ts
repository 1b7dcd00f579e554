import { readShape, type Shape, snapshotOf } from './layout.ts';
import { type ChangePacket, type KeyPacket, readKey, readNumbers, unpack, withChange } from './packet.ts';
import { PACKET_MAX_BYTES, type WorldFrame, WorldStreamError, WorldVersionError } from './world-frame.ts';

/** Changes may still arrive for the key state before the present one. */
const KEYS_KEPT = 3;
/** Key states of which parts are still missing. */
const UNFINISHED_KEPT = 2;
/** Time without a packet of the old stream after which another stream counts as new although its clock is behind. */
const STREAM_OVER_AFTER_MS = 2_000;
/** How long the fastest transit is remembered. */
const FASTEST_OF_MS = 10_000;

interface KeyState {
  shape: Shape;
  numbers: number[];
}

/** One run of a runtime, as far as it has arrived. */
interface Stream {
  id: number;
  /** By number. */
  keys: Map<number, KeyState>;
  unfinished: Map<number, (Uint8Array | undefined)[]>;
  /** Of the newest frame that was given. */
  shown: number;
  stepTimeMs: number;
  first: number;
  newest: number;
  /** Different packets that have come. */
  come: number;
  /** The last packets, so that a packet that arrives twice is counted once. */
  seen: Set<number>;
}

/** The counts of received packets. */
export interface ReaderCounts {
  /** Packets of another version, or with content that no world has. */
  malformed: number;
  /** Changes whose key state has not arrived. */
  withoutKey: number;
}

const SEEN_KEPT = 64;
/** The maximum number of packets that are sent within `STREAM_OVER_AFTER_MS`. */
const AHEAD_MAX = 1_000;

/**
 * Takes the packets of one runtime as they arrive, in any order, some lost, some twice. It keeps a few key states and nothing
 * else, however many packets come. Data that is not a packet changes nothing. The owner passes it only packets of the runtime's
 * identity.
 */
export class WorldReader {
  readonly counts: ReaderCounts = { malformed: 0, withoutKey: 0 };
  #stream: Stream | null = null;
  #otherVersion: number | null = null;
  #heardAtMs = 0;
  /** The smallest difference of the two clocks in this span and in the previous one. */
  #fastest: { sinceMs: number; nowMs: number; beforeMs: number } | null = null;

  /** The runtime's version of the format, if this reader does not know it. Null if it does, or if nothing has arrived. */
  get otherVersion(): number | null {
    return this.#otherVersion;
  }

  /**
   * Takes one packet.
   * @param nowMs the reader's own monotonic clock
   * @returns what to show from now on; null if the packet contains nothing newer
   */
  take(bytes: Uint8Array, nowMs: number): WorldFrame | null {
    try {
      return this.#read(bytes, nowMs);
    } catch (error) {
      if (!(error instanceof WorldStreamError)) throw error;
      this.counts.malformed += 1;
      if (error instanceof WorldVersionError) this.#otherVersion = error.version;
      return null;
    }
  }

  #read(bytes: Uint8Array, nowMs: number): WorldFrame | null {
    const packet = unpack(bytes);
    this.#otherVersion = null;
    const stream = this.#streamOf(packet, nowMs);
    if (stream === null) return null;
    const key = packet.kind === 'key' ? finishedKey(stream, packet) : stream.keys.get(packet.key);
    const numbers = key && (packet.kind === 'key' ? key.numbers : withChange(key.numbers, packet.bytes));
    const snapshot = key && numbers && snapshotOf(key.shape, numbers, packet.stepTimeMs);
    // Noted only after the content was read: invalid data does not belong to the stream and does not begin one.
    if (stream !== this.#stream && packet.kind === 'key') {
      this.#stream = stream;
      this.#fastest = null;
    }
    const isNew = note(stream, packet.packet);
    if (stream === this.#stream) this.#heardAtMs = nowMs;
    if (!snapshot) {
      if (packet.kind === 'change' && isNew) this.counts.withoutKey += 1;
      return null;
    }
    // A key state is as new as its last part, whichever part completes it: a repeated part shows nothing again.
    const last = packet.kind === 'key' ? packet.packet - packet.part + packet.parts - 1 : packet.packet;
    if (last <= stream.shown) return null;
    stream.shown = last;
    stream.stepTimeMs = Math.max(stream.stepTimeMs, packet.stepTimeMs);
    const delayMs = this.#delay(nowMs - packet.stepTimeMs, nowMs);
    return { ...snapshot, takenAtMs: nowMs, delayMs, lostPackets: lostOf(stream), comePackets: stream.come };
  }

  /** The stream of a packet: a new one if the runtime has restarted; null for a stream that is over. */
  #streamOf({ streamId, packet, stepTimeMs }: KeyPacket | ChangePacket, nowMs: number): Stream | null {
    const known = this.#stream;
    const isHeard = nowMs - this.#heardAtMs < STREAM_OVER_AFTER_MS;
    if (known?.id === streamId) {
      // A forged or damaged number would make everything after it count as old.
      if (isHeard && packet > known.newest + AHEAD_MAX) throw new WorldStreamError('The packet is far ahead of those before it.');
      return known;
    }
    if (known && isHeard && stepTimeMs < known.stepTimeMs) return null;
    return {
      id: streamId,
      keys: new Map(),
      unfinished: new Map(),
      shown: -1,
      stepTimeMs,
      first: packet,
      newest: packet,
      come: 0,
      seen: new Set(),
    };
  }

  #delay(differenceMs: number, nowMs: number): number {
    const fastest = this.#fastest ?? { sinceMs: nowMs, nowMs: differenceMs, beforeMs: differenceMs };
    if (nowMs - fastest.sinceMs > FASTEST_OF_MS) {
      fastest.beforeMs = fastest.nowMs;
      fastest.nowMs = differenceMs;
      fastest.sinceMs = nowMs;
    }
    fastest.nowMs = Math.min(fastest.nowMs, differenceMs);
    this.#fastest = fastest;
    return differenceMs - Math.min(fastest.nowMs, fastest.beforeMs);
  }
}

/** Returns the key state that this part completes, or that was complete before; undefined while parts are missing. */
function finishedKey(stream: Stream, { key, part, parts, bytes }: KeyPacket): KeyState | undefined {
  const known = stream.keys.get(key);
  if (known) return known;
  if (parts === 1) return keep(stream, key, bytes);
  const all = stream.unfinished.get(key) ?? new Array<Uint8Array | undefined>(parts).fill(undefined);
  if (all.length !== parts) throw new WorldStreamError('A key state must have as many parts as it announced.');
  all[part] = bytes.slice();
  stream.unfinished.set(key, all);
  dropOldest(stream.unfinished, UNFINISHED_KEPT);
  if (!all.every((each) => each !== undefined)) return undefined;
  stream.unfinished.delete(key);
  const whole = new Uint8Array(all.length * PACKET_MAX_BYTES);
  let length = 0;
  for (const each of all) {
    whole.set(each, length);
    length += each.length;
  }
  return keep(stream, key, whole.subarray(0, length));
}

function keep(stream: Stream, number: number, bytes: Uint8Array): KeyState {
  const { names, numbers } = readKey(bytes);
  const shape = readShape(names);
  const key = { shape, numbers: readNumbers(numbers, shape.numbers) };
  stream.keys.set(number, key);
  dropOldest(stream.keys, KEYS_KEPT);
  return key;
}

function dropOldest(kept: Map<number, unknown>, max: number): void {
  if (kept.size > max) kept.delete(Math.min(...kept.keys()));
}

/** Notes that a packet has arrived. @returns whether for the first time */
function note(stream: Stream, packet: number): boolean {
  if (stream.seen.has(packet)) return false;
  stream.seen.add(packet);
  const [oldest] = stream.seen;
  if (stream.seen.size > SEEN_KEPT && oldest !== undefined) stream.seen.delete(oldest);
  stream.come += 1;
  stream.first = Math.min(stream.first, packet);
  stream.newest = Math.max(stream.newest, packet);
  return true;
}

const lostOf = ({ first, newest, come }: Stream): number => Math.max(0, newest - first + 1 - come);
