import { TRAJECTORY_TIMEOUT_MS } from './limits.ts';

/** An answer that takes this much longer than the fastest has waited in a queue. */
const QUEUE_MAX_MS = 60;
const FASTEST_OF_MS = 10_000;
/** The interval of the first poses while no answer arrives: one of two may get lost before the arms go limp. */
const UNHEARD_EVERY_MS = TRAJECTORY_TIMEOUT_MS * 0.4;
const UNHEARD_FEW = 4;
/** The interval of the later ones: enough to notice that the connection is back, with few poses that arrive late then. */
const UNHEARD_SELDOM_MS = 2 * TRAJECTORY_TIMEOUT_MS;

/**
 * Decides when a stream may send its next pose. If poses queue up on a connection, each arrives later than the one before, so
 * fewer are sent.
 */
export interface PosePace {
  maySend(nowMs: number): boolean;
  /** Notes that a pose was sent. @returns a function to call when the pose is answered or given up */
  sent(nowMs: number): (nowMs: number) => void;
}

export function createPosePace(): PosePace {
  const open = new Set<number>();
  let lastMs = Number.NEGATIVE_INFINITY;
  /** Poses sent since the last answer in time. */
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
