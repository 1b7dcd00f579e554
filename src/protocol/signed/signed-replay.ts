import { ENVELOPE_CLOCK_TOLERANCE_MS, ENVELOPE_MAX_LIFE_S } from './signed-claims.ts';

/** The state of a sequence number for a key: new, seen before, or older than an accepted one. */
export type SequenceVerdict = 'new' | 'replayed' | 'out_of_order' | 'too_many_keys';

export interface ReplayMemory {
  /**
   * Judges a number and remembers it.
   * @param nowMs milliseconds, monotonic
   * @param isStop of a call that ends motion: there is always room for it, and it may follow a later number
   * @param mayBeLate whether it may follow a later number, like a call that let a stop go first. @default for a stop alone
   */
  take(key: string, sequence: number, nowMs: number, isStop?: boolean, mayBeLate?: boolean): SequenceVerdict;
  /** The maximum number of remembered keys. */
  readonly size: number;
}

/**
 * Within this distance below the highest number, a replay is distinguished from a late call: 5 s of packets at 50 Hz. Below that
 * every number counts as late.
 */
const WINDOW = 256;
/** An envelope of a key that was silent for this long is stale whatever its number, so its numbers may be forgotten. */
const FORGET_AFTER_MS = ENVELOPE_MAX_LIFE_S * 1_000 + 2 * ENVELOPE_CLOCK_TOLERANCE_MS;

/** Keys beyond the limit that are remembered if they come with a stop. */
const KEPT_FOR_STOPS = 256;

interface Numbers {
  highest: number;
  seen: Set<number>;
  lastMs: number;
}

/**
 * Creates the memory of each holder key's sequence numbers. They must grow; a number within the window is remembered, accepted or
 * not. A stop within the window is accepted unless it was seen before: a stop that was overtaken in transit stops the robot all
 * the same.
 * @param maxKeys more keys at a time are rejected, because forgetting a live key would accept its envelopes again
 */
export function createReplayMemory(maxKeys = 256): ReplayMemory {
  // In the order of last use.
  const keys = new Map<string, Numbers>();

  function makeRoom(nowMs: number): void {
    for (const [key, { lastMs }] of keys) {
      if (keys.size < maxKeys || nowMs - lastMs <= FORGET_AFTER_MS) break;
      keys.delete(key);
    }
  }

  return {
    take(key, sequence, nowMs, isStop = false, mayBeLate = isStop) {
      const known = keys.get(key);
      if (!known) {
        makeRoom(nowMs);
        if (keys.size >= maxKeys && !isStop) return 'too_many_keys';
        // A stop beyond all room is not remembered: at worst the robot is stopped twice.
        if (keys.size >= maxKeys + KEPT_FOR_STOPS) return 'new';
        keys.set(key, { highest: sequence, seen: new Set([sequence]), lastMs: nowMs });
        return 'new';
      }
      keys.delete(key);
      keys.set(key, known);
      known.lastMs = nowMs;
      if (known.seen.has(sequence)) return 'replayed';
      const isNew = sequence > known.highest;
      if (isNew) known.highest = sequence;
      const isInWindow = sequence > known.highest - WINDOW;
      if (isInWindow) known.seen.add(sequence);
      if (known.seen.size > 2 * WINDOW) {
        known.seen = new Set([...known.seen].filter((number) => number > known.highest - WINDOW));
      }
      return isNew || (mayBeLate && isInWindow) ? 'new' : 'out_of_order';
    },
    get size() {
      return keys.size;
    },
  };
}
