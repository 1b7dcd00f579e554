import { ROOM_HICCUP_MS } from './limits.ts';

/**
 * The reason why nobody can reach a runtime.
 * - `silent`: nothing comes from the room
 * - `interrupted`: LiveKit has tried to restore the connection for longer than a hiccup
 * - `gone`: it is out of the room
 */
export type OutOfReach = 'silent' | 'interrupted' | 'gone';

export interface ReachEvents {
  /** Called once, until it can be reached again. */
  onLost(why: OutOfReach): void;
  /** Calls arrive again: after each join, and whenever the problem is over. */
  onReachable(): void;
}

/** Combines all signs of whether a runtime can be reached in its room. */
export interface Reach {
  joined(): void;
  /** Tells that it is out of the room, and will join again. */
  left(): void;
  /** Tells that it is out of the room for good: nothing is reported any more. */
  over(): void;
  /** Tells that LiveKit tries to restore the connection, or has done so. */
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
