import { FairRoom } from '../../protocol/fair-room.ts';
import { FairTurns } from '../../protocol/fair-turns.ts';
import { CALL_CHARS_WAITING_MAX } from '../../protocol/limits.ts';

/** Calls that wait for their turn. What they cost of a tick is bounded, so that no number of them keeps the robot from its steps. */
export interface CallLine {
  /**
   * Puts a call of so many characters into the line of its caller; `serve` is called once, now or in one of the next ticks.
   * @returns null when it has been served, else what puts it, and what its caller has sent before it, before the calls of others
   */
  push(caller: string, chars: number, serve: () => void): (() => void) | null;
  /**
   * Does work that opens a sealed call, and goes on elsewhere meanwhile; waits for a tick that has time left. Its time is its own: no
   * number of calls in the line keeps an envelope closed.
   */
  pay<T>(work: () => Promise<T>): Promise<T>;
  /** A tick begins, with fresh time: serves what waits. */
  renew(): void;
  /** How many calls of this caller wait. */
  waitingOf(caller: string): number;
  /** Whether a call of so many characters may wait: what calls of all keep in memory is bounded, and shared. */
  hasRoom(caller: string, chars: number): boolean;
}

/** So much of a tick, which comes every 8 ms, is for calls. */
export const CALLS_MS_PER_TICK = 3;
/** So much for opening sealed calls. One that was begun is opened to its end, so at least one is in each tick. */
export const OPENING_MS_PER_TICK = 2;

/**
 * Callers take turns; what one of them sends is served in the order in which it came, so that a stop does not overtake a velocity that was
 * sent before it. With many callers a turn takes long to come: whoever stops the robot gets every other one.
 * @param deps.nowMs milliseconds, never going back
 * @param deps.isTicking whether a tick will come; without one nothing waits
 * @param deps.served after each call: the thread was busy, and did not stand still
 */
export function createCallLine(deps: { nowMs(): number; isTicking(): boolean; served(): void }): CallLine {
  const turns = new FairTurns<{ caller: string; chars: number; serve: () => void }>();
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
      const next = turns.shift();
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
      turns.push(caller, { caller, chars, serve: act });
      room.force(caller, chars);
      count(caller, 1);
      serve();
      return isServed
        ? null
        : () => {
            if (!isServed) turns.hurry(caller);
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
