import { ROOM_HICCUP_MS } from '../wire/limits.ts';

/**
 * The reason why a runtime cannot be reached.
 * - `silent`: nothing comes from the room
 * - `interrupted`: LiveKit has tried to restore the connection for longer than a hiccup
 * - `gone`: it is out of the room
 */
export type OutOfReach = 'silent' | 'interrupted' | 'gone';

export interface ReachEvents {
  /** Called once, until the runtime can be reached again. */
  onLost(why: OutOfReach): void;
  /** Called when calls arrive again: after each join, and whenever the problem is over. */
  onReachable(): void;
}

/** Combines all signs of whether a runtime can be reached in its room. */
export interface Reach {
  joined(): void;
  /** Notes that the runtime is out of the room and will join again. */
  left(): void;
  /** Notes that the runtime is out of the room for good: nothing is reported any more. */
  over(): void;
  /** Notes that LiveKit is restoring the connection, or has restored it. */
  reconnecting(isTrying: boolean): void;
  silent(isSilent: boolean): void;
}

/** @param after waits; returns a function that cancels the wait */
export function createReach(after: (ms: number, act: () => void) => () => void, events: ReachEvents): Reach {
  let inRoom = false;
  let isTrying = false;
  let isSilent = false;
  let lost = false;
  let giveUp = (): void => {};

  function lose(why: OutOfReach): void {
    if (lost) return;
    lost = true;
    events.onLost(why);
  }

  function settle(): void {
    if (!inRoom || isTrying || isSilent) return;
    lost = false;
    events.onReachable();
  }

  return {
    joined() {
      inRoom = true;
      isTrying = false;
      isSilent = false;
      settle();
    },
    left() {
      inRoom = false;
      giveUp();
      lose('gone');
    },
    over() {
      inRoom = false;
      giveUp();
    },
    reconnecting(tries) {
      giveUp();
      isTrying = tries;
      if (tries) giveUp = after(ROOM_HICCUP_MS, () => lose('interrupted'));
      else settle();
    },
    silent(is) {
      isSilent = is;
      if (is) lose('silent');
      else settle();
    },
  };
}
