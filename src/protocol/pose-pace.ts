import { TRAJECTORY_TIMEOUT_MS } from './limits.ts';

/** An answer that takes so much longer than the fastest has waited for its turn. */
const QUEUE_MAX_MS = 60;
const FASTEST_OF_MS = 10_000;
/** Of poses that nothing is heard of, the first go out so often: one of two may get lost before the arms go limp. */
const UNHEARD_EVERY_MS = TRAJECTORY_TIMEOUT_MS * 0.4;
const UNHEARD_FEW = 4;
/** And the others so often: enough to hear that the line is back, and little that comes late then. */
const UNHEARD_SELDOM_MS = 2 * TRAJECTORY_TIMEOUT_MS;

/**
 * Says when a stream may send its next pose. A line that does not carry what it is given brings each pose later than the one before: then
 * there are fewer.
 */
export interface PosePace {
  maySend(nowMs: number): boolean;
  /** One is sent. @returns to be called when it is answered, or given up */
  sent(nowMs: number): (nowMs: number) => void;
}

export function createPosePace(): PosePace {
  const open = new Set<number>();
  let lastMs = Number.NEGATIVE_INFINITY;
  /** Sent since an answer came in time. */
  let unheard = 0;
  let fastest = { sinceMs: Number.NEGATIVE_INFINITY, ms: Number.POSITIVE_INFINITY, beforeMs: Number.POSITIVE_INFINITY };
  const inTimeMs = (): number => 1.5 * Math.min(fastest.ms, fastest.beforeMs, 1_000) + QUEUE_MAX_MS;
  return {
    maySend(nowMs) {
      const [oldestMs = nowMs] = open;
      if (nowMs - oldestMs <= inTimeMs()) return true;
      return nowMs - lastMs >= (unheard < UNHEARD_FEW ? UNHEARD_EVERY_MS : UNHEARD_SELDOM_MS);
    },
    sent(sentMs) {
      const [oldestMs = sentMs] = open;
      if (sentMs - oldestMs > inTimeMs()) unheard += 1;
      lastMs = sentMs;
      open.add(sentMs);
      return (nowMs) => {
        open.delete(sentMs);
        const tookMs = nowMs - sentMs;
        if (nowMs - fastest.sinceMs > FASTEST_OF_MS)
          fastest = { sinceMs: nowMs, ms: Number.POSITIVE_INFINITY, beforeMs: fastest.ms };
        fastest.ms = Math.min(fastest.ms, tookMs);
        if (tookMs <= inTimeMs()) unheard = 0;
        else unheard = Math.max(0, unheard - 1);
      };
    },
  };
}
