import { FairQueue } from '../../common/fair-queue.ts';
import { FairRoom } from '../../common/fair-room.ts';
import { CALL_CHARS_WAITING_MAX } from '../../protocol/wire/limits.ts';

/** Examines sealed calls that are over a limit for whether they stop the robot; the time this takes from a tick is bounded. */
export interface StopLooks {
  /**
   * Calls `told` once, now or in one of the next ticks. Calls it with false, without a look, when too many of this caller's calls
   * wait.
   */
  look(caller: string, envelope: string, onResult: (isStop: boolean) => void): void;
  /** Begins a tick with a fresh time budget. */
  renew(): void;
}

/** Milliseconds per tick, which comes every 8 ms. A look that has begun is finished, so each tick has at least one. */
const LOOKING_MS_PER_TICK = 1;
/** Limit for one caller: calls beyond it are refused without a look. A tick examines about seven large envelopes. */
const LOOKS_WAITING_MAX = 256;

/**
 * Creates the looks. Callers take turns.
 * @param deps.nowMs milliseconds, never going back
 * @param deps.isTicking whether a tick will come; without one nothing waits
 * @param deps.isStop examines the text as it came
 */
export function createStopLooks(deps: { nowMs(): number; isTicking(): boolean; isStop(envelope: string): boolean }): StopLooks {
  const queue = new FairQueue<{ caller: string; envelope: string; onResult: (isStop: boolean) => void }>();
  const waiting = new Map<string, number>();
  const room = new FairRoom(CALL_CHARS_WAITING_MAX);
  let spentMs = 0;

  function count(caller: string, change: number): void {
    const now = (waiting.get(caller) ?? 0) + change;
    if (now > 0) waiting.set(caller, now);
    else waiting.delete(caller);
  }

  function lookOn(): void {
    while (!deps.isTicking() || spentMs < LOOKING_MS_PER_TICK) {
      const next = queue.shift();
      if (next === null) return;
      count(next.caller, -1);
      room.give(next.caller, next.envelope.length);
      const startedMs = deps.nowMs();
      const isStop = deps.isStop(next.envelope);
      spentMs += deps.nowMs() - startedMs;
      next.onResult(isStop);
    }
  }

  return {
    look(caller, envelope, onResult) {
      if ((waiting.get(caller) ?? 0) >= LOOKS_WAITING_MAX || !room.take(caller, envelope.length)) return onResult(false);
      queue.push(caller, { caller, envelope, onResult });
      count(caller, 1);
      lookOn();
    },
    renew() {
      spentMs = 0;
      lookOn();
    },
  };
}
