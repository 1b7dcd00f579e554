import { ROOM_HEARTBEAT_MS } from '../wire/limits.ts';

/** The amount received over each connection to the room, in any unit: only its growth counts. */
export type ReceivedCounts = ReadonlyMap<string, number>;

/** Decides from the counts of received data whether a room is silent. Times are milliseconds of any monotonic clock. */
export interface SilenceWatch {
  /** Notes that time has passed. Call it before each check, every `periodMs`. */
  pass(nowMs: number): void;
  /** Takes the counts received by now, null when unknown. @returns `silent` and `heard` once at each change */
  look(counts: ReceivedCounts | null, nowMs: number): 'silent' | 'heard' | null;
  /** Returns the time since new data was last seen. */
  unheardMs(nowMs: number): number;
  /**
   * Returns how long to wait before the next check: less once an answer is overdue, because on a poor connection heartbeats and
   * answers get lost.
   */
  periodMs(): number;
}

/**
 * A wait between two checks counts for at most this: a suspended process may itself have received nothing. A freeze thus leaves a
 * slow connection time to answer.
 */
const PERIOD_COUNTS_AT_MOST_MS = 500;
const OVERDUE_AFTER_MS = 500;
const OVERDUE_PERIOD_MS = 50;

/**
 * Creates a watch that begins as if data was just received: the answer to a join.
 * @param silentAfterMs how long nothing comes from a silent room
 */
export function createSilenceWatch(startMs: number, silentAfterMs: number): SilenceWatch {
  // The last packet may have come a whole period before the check that saw it, and the check may miss the end of the wait by
  // another period: so the total is at most one period more than the limit.
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
        const wasSilent = silent;
        seen = new Map(counts);
        heardAtMs = nowMs;
        passedAtMs = nowMs;
        waitedMs = 0;
        silent = false;
        return wasSilent ? 'heard' : null;
      }
      if (silent || waitedMs < silentAfterUnheardMs) return null;
      silent = true;
      return 'silent';
    },
    unheardMs: (nowMs) => nowMs - heardAtMs,
    periodMs: () => (waitedMs >= OVERDUE_AFTER_MS && !silent ? OVERDUE_PERIOD_MS : ROOM_HEARTBEAT_MS),
  };
}

/** The count of a closed connection disappears with it; that is not a sign of life. */
function hasGrown(before: ReceivedCounts, now: ReceivedCounts): boolean {
  return [...now].some(([connection, count]) => count > (before.get(connection) ?? 0));
}
