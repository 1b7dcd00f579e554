import { FairQueue } from '../../common/fair-queue.ts';
import { FairRoom } from '../../common/fair-room.ts';
import { CALL_CHARS_WAITING_MAX } from '../../protocol/wire/limits.ts';

/**
 * Queue of the calls that wait to be served. The time they take from a tick is bounded, so that no number of calls keeps the
 * robot from its steps.
 */
export interface CallQueue {
  /**
   * Adds a call of this many characters to its caller's queue; `serve` is called once, now or in one of the next ticks.
   * @returns null when the call has been served; otherwise a function that moves it, and its caller's earlier calls, ahead of
   * other callers' calls
   */
  push(caller: string, chars: number, serve: () => void): (() => void) | null;
  /**
   * Runs work that opens a sealed call and that continues asynchronously; waits for a tick that has time left. It has a time
   * budget of its own: no number of queued calls keeps an envelope closed.
   */
  pay<T>(work: () => Promise<T>): Promise<T>;
  /** Begins a tick with a fresh time budget and serves waiting calls. */
  renew(): void;
  /** Returns how many calls of this caller wait. */
  waitingOf(caller: string): number;
  /** Returns whether a call of this many characters may wait: the memory for all callers' calls is bounded and shared. */
  hasRoom(caller: string, chars: number): boolean;
}

/** Milliseconds per tick for calls; a tick comes every 8 ms. */
const CALLS_MS_PER_TICK = 3;
/** Milliseconds per tick for opening sealed calls. An opening that has begun is finished, so each tick opens at least one. */
const OPENING_MS_PER_TICK = 2;

/**
 * Creates the queue. Callers take turns; the calls of one caller are served in the order in which they came, so that a stop does
 * not overtake a velocity sent before it. With many callers a turn takes long to come, so every other turn goes to a caller that
 * stops the robot.
 * @param deps.nowMs milliseconds, never going back
 * @param deps.isTicking whether a tick will come; without one nothing waits
 * @param deps.served called after each call, to report that the thread was busy, not suspended
 */
export function createCallQueue(deps: { nowMs(): number; isTicking(): boolean; served(): void }): CallQueue {
  const queue = new FairQueue<{ caller: string; chars: number; serve: () => void }>();
  const room = new FairRoom(CALL_CHARS_WAITING_MAX);
  const waiting = new Map<string, number>();
  let spentMs = 0;
  let openingMs = 0;
  let goOn: (() => void)[] = [];
  const isSpent = (): boolean => deps.isTicking() && spentMs >= CALLS_MS_PER_TICK;
  const isOpeningSpent = (): boolean => deps.isTicking() && openingMs >= OPENING_MS_PER_TICK;

  function count(caller: string, change: number): void {
    const now = (waiting.get(caller) ?? 0) + change;
    if (now > 0) waiting.set(caller, now);
    else waiting.delete(caller);
  }

  function serve(): void {
    while (!isSpent()) {
      const next = queue.shift();
      if (next === null) return;
      count(next.caller, -1);
      room.give(next.caller, next.chars);
      const startedMs = deps.nowMs();
      next.serve();
      spentMs += deps.nowMs() - startedMs;
      deps.served();
    }
  }

  return {
    push(caller, chars, call) {
      let isServed = false;
      const act = (): void => {
        isServed = true;
        call();
      };
      queue.push(caller, { caller, chars, serve: act });
      room.force(caller, chars);
      count(caller, 1);
      serve();
      return isServed
        ? null
        : () => {
            if (!isServed) queue.hurry(caller);
          };
    },
    async pay(work) {
      while (isOpeningSpent()) await new Promise<void>((resolve) => goOn.push(resolve));
      const startedMs = deps.nowMs();
      try {
        return await work();
      } finally {
        openingMs += deps.nowMs() - startedMs;
        deps.served();
      }
    },
    renew() {
      spentMs = 0;
      openingMs = 0;
      serve();
      const paused = goOn;
      goOn = [];
      for (const resume of paused) resume();
    },
    waitingOf: (caller) => waiting.get(caller) ?? 0,
    hasRoom: (caller, chars) => room.hasRoom(caller, chars),
  };
}
