import { ROOM_HICCUP_MS } from './limits.ts';

/**
 * Why nobody can reach a runtime.
 * - `silent`: nothing comes from the room
 * - `interrupted`: LiveKit has tried to take the connection up again for longer than a hiccup
 * - `gone`: it is out of the room
 */
export type OutOfReach = 'silent' | 'interrupted' | 'gone';

export interface ReachEvents {
  /** Once, until it can be reached again. */
  onLost(why: OutOfReach): void;
  /** Calls come in: with each join, and whenever what was amiss is over. */
  onReachable(): void;
}

/** Makes one out of all signs that a runtime can, or cannot, be reached in its room. */
export interface Reach {
  joined(): void;
  /** It is out of the room, and will join again. */
  left(): void;
  /** It is out of the room for good: nothing is told any more. */
  over(): void;
  /** LiveKit tries to take up the connection again, or has done so. */
  reconnecting(isTrying: boolean): void;
  silent(isSilent: boolean): void;
}

/** @param after waits; gives what gives the wait up */
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
