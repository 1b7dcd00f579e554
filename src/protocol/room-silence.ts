import { ROOM_BEAT_MS } from './limits.ts';

/** How much has come in over each connection to the room, in any unit: what counts is whether it grows. */
export type ReceivedCounts = ReadonlyMap<string, number>;

/** Decides from looks at what has come in whether a room is silent. Times are milliseconds of any clock that never goes back. */
export interface SilenceWatch {
  /** Tells that time has passed. Comes before each look, every `periodMs`. */
  pass(nowMs: number): void;
  /**
   * What has come in by now, null when that cannot be told.
   * @returns `silent` and `heard` once each time that it turns
   */
  look(counts: ReceivedCounts | null, nowMs: number): 'silent' | 'heard' | null;
  /** Since something new was seen to have come in. */
  unheardMs(nowMs: number): number;
  /** How long to wait before the next look: less once an answer is overdue, for on a poor line beats and answers get lost. */
  periodMs(): number;
}

/** A wait between two looks counts for no more than this: who was held up may have been deaf itself. A freeze so leaves a slow line time to answer. */
const PERIOD_COUNTS_AT_MOST_MS = 500;
const OVERDUE_AFTER_MS = 500;
const OVERDUE_PERIOD_MS = 50;

/**
 * A watch that begins with something just heard: the answer to a join.
 * @param silentAfterMs how long nothing comes from a silent room
 */
export function createSilenceWatch(startMs: number, silentAfterMs: number): SilenceWatch {
  // The last packet may have come a whole period before the look that saw it, and the end of the wait may be missed by one: so the whole
  // is a beat more than the limit at most.
  const silentAfterUnheardMs = silentAfterMs - OVERDUE_PERIOD_MS;
  let seen: ReceivedCounts = new Map();
  let heardAtMs = startMs;
  let passedAtMs = startMs;
  let waitedMs = 0;
  let silent = false;

  return {
    pass(nowMs) {
      waitedMs += Math.min(nowMs - passedAtMs, PERIOD_COUNTS_AT_MOST_MS);
      passedAtMs = nowMs;
    },
    look(counts, nowMs) {
      if (counts !== null && hasGrown(seen, counts)) {
        const turns = silent;
        seen = new Map(counts);
        heardAtMs = nowMs;
        passedAtMs = nowMs;
        waitedMs = 0;
        silent = false;
        return turns ? 'heard' : null;
      }
      if (silent || waitedMs < silentAfterUnheardMs) return null;
      silent = true;
      return 'silent';
    },
    unheardMs: (nowMs) => nowMs - heardAtMs,
    periodMs: () => (waitedMs >= OVERDUE_AFTER_MS && !silent ? OVERDUE_PERIOD_MS : ROOM_BEAT_MS),
  };
}

/** A connection that has gone takes its count with it; that is no sign of life. */
function hasGrown(before: ReceivedCounts, now: ReceivedCounts): boolean {
  return [...now].some(([connection, count]) => count > (before.get(connection) ?? 0));
}
