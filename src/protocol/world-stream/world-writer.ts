import { CLOCK_NUMBERS, type LaidOut, layOut } from './layout.ts';
import { packChange, packKey } from './packet.ts';
import type { WorldPacket, WorldSnapshot } from './world-frame.ts';

/** While something moves: 20 states a second. */
export const MOVING_EVERY_MS = 50;
/** While nothing moves: the interval at which watchers receive the unchanged state. */
export const AT_REST_EVERY_MS = 500;
/** Interval of key states while something moves: a watcher that lost one waits this long; at rest twice as long. */
const KEY_MOVING_EVERY_MS = 500;
const KEY_AT_REST_EVERY_MS = 1_000;
/** A new watcher receives everything at once, but several that arrive together share one key state. */
const KEY_FOR_NEWCOMERS_EVERY_MS = 200;
/** The maximum rate, whatever happens in the world: beyond it, states are sent less often. */
export const BYTES_PER_S_MAX = 20_000;
/** Unused sending time up to this span may be used later: for a key state and the changes after it. */
const CHANNEL_HOLDS_MS = KEY_MOVING_EVERY_MS;
/** LiveKit's and the transport's headers of a packet. */
const HEADERS_BYTES = 150;

/**
 * Lays out the states of one runtime as packets. Each packet depends only on its key state, and no packets are sent that no
 * watcher needs.
 */
export class WorldWriter {
  readonly #streamId: number;
  #packet = 0;
  #keyNumber = 0;
  #key: LaidOut | null = null;
  #sent: readonly number[] = [];
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #keyAtMs = Number.NEGATIVE_INFINITY;
  #isNewcomerThere = false;
  /** The time until which the sent packets occupy the connection. */
  #channelFullUntilMs = Number.NEGATIVE_INFINITY;

  /** @param streamId a random whole number, different in each run of a runtime */
  constructor(streamId: number) {
    this.#streamId = streamId;
  }

  /** Whether a state needs a check at this time: otherwise nothing is laid out. */
  isDue(nowMs: number): boolean {
    return nowMs - this.#lookedAtMs >= MOVING_EVERY_MS;
  }

  /** Makes the next due state a key state, because a watcher without one has come. */
  beginAnew(): void {
    this.#isNewcomerThere = true;
  }

  /**
   * Returns the packets to send now; an empty list if no packet is due.
   * @param nowMs a monotonic clock
   * @throws WorldStreamError for a world that cannot be shown
   */
  write(snapshot: WorldSnapshot, nowMs: number): WorldPacket[] {
    // The rhythm is kept: a late check does not delay the following ones.
    this.#lookedAtMs = nowMs - this.#lookedAtMs < 2 * MOVING_EVERY_MS ? this.#lookedAtMs + MOVING_EVERY_MS : nowMs;
    if (nowMs < this.#channelFullUntilMs) return [];
    const packets = this.#packets(snapshot, nowMs);
    const bytes = packets.reduce((sum, packet) => sum + packet.length + HEADERS_BYTES, 0);
    this.#channelFullUntilMs = Math.max(this.#channelFullUntilMs, nowMs - CHANNEL_HOLDS_MS) + (bytes / BYTES_PER_S_MAX) * 1_000;
    return packets;
  }

  #packets(snapshot: WorldSnapshot, nowMs: number): WorldPacket[] {
    const laidOut = layOut(snapshot);
    const key = this.#key;
    const isOther = key === null || !sameBytes(key.names, laidOut.names);
    const moves = isOther || laidOut.numbers.some((number, index) => index >= CLOCK_NUMBERS && number !== this.#sent[index]);
    const sinceKeyMs = nowMs - this.#keyAtMs;
    const isWanted = this.#isNewcomerThere && sinceKeyMs >= KEY_FOR_NEWCOMERS_EVERY_MS;
    if (!moves && !isWanted && nowMs - this.#reportedAtMs < AT_REST_EVERY_MS) return [];
    this.#reportedAtMs = nowMs;
    this.#sent = laidOut.numbers;
    const isKeyDue = isWanted || sinceKeyMs >= (moves ? KEY_MOVING_EVERY_MS : KEY_AT_REST_EVERY_MS);
    const head = { streamId: this.#streamId, packet: this.#packet, stepTimeMs: Math.round(snapshot.stepTimeMs) };
    const change = isOther || isKeyDue ? null : packChange({ ...head, key: this.#keyNumber }, key.numbers, laidOut.numbers);
    if (change !== null) {
      this.#packet += 1;
      return [change];
    }
    const packets = packKey({ ...head, key: this.#keyNumber + 1 }, laidOut.names, laidOut.numbers);
    this.#keyNumber += 1;
    this.#isNewcomerThere = false;
    this.#key = laidOut;
    this.#keyAtMs = nowMs;
    this.#packet += packets.length;
    return packets;
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
