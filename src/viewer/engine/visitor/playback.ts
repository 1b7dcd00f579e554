import type { RenderState } from '../../../protocol/render-state.ts';
import { blend } from './blend.ts';

/** One state of the world as it came over the stream. */
export interface StreamedState {
  state: RenderState;
  /** When the robot had it, milliseconds by the robot's clock. */
  stateTimeMs: number;
}

/**
 * The world is shown this much later than it comes, so that there is a later state to move towards: two of the stream's pauses while
 * something moves, and a little for packets that come late.
 */
export const PLAYBACK_DELAY_MS = 120;
/** States older than this are past. */
const KEPT_MS = 1_000;
const CLOCK_JUMP_MS = 5_000;
/** The quickest packet of so long tells the difference of the clocks. Two clocks drift apart by less than it matters in that time. */
const CLOCKS_WITHIN_MS = 30_000;

/** Plays a stream of states, and says how old what it shows is. */
export interface Playback {
  /** Takes a state that has just come; one older than the newest is dropped. @param nowMs a clock that never jumps */
  take(streamed: StreamedState, nowMs: number): void;
  /** Returns the world to draw now; the same object while nothing moves. Null before the first state. */
  shown(nowMs: number): RenderState | null;
  /**
   * Returns how old the newest state is, beyond the shortest way that a packet has taken: the clocks of two machines say no more.
   * Null before the first.
   */
  ageMs(nowMs: number): number | null;
  /** How many states it remembers. */
  kept(): number;
  /** Forgets all: another robot is shown from now on. */
  clear(): void;
}

export function createPlayback(): Playback {
  let states: StreamedState[] = [];
  let clocks = createClockDifference();

  const newestMs = (): number => states.at(-1)?.stateTimeMs ?? Number.NEGATIVE_INFINITY;

  function clear(): void {
    states = [];
    clocks = createClockDifference();
  }

  /** Time by the robot's clock, as far as packets tell. */
  const robotTimeMs = (nowMs: number): number => nowMs - clocks.leastMs();

  return {
    take(streamed, nowMs) {
      // Packets overtake each other by less; a clock that was put back tells of a time of its own.
      if (newestMs() - streamed.stateTimeMs > CLOCK_JUMP_MS) clear();
      const newest = states.at(-1);
      clocks.note(nowMs - streamed.stateTimeMs, nowMs);
      if (newest && streamed.stateTimeMs <= newest.stateTimeMs) return;
      // The last one before the time that is shown stays: movement begins there.
      const pastMs = streamed.stateTimeMs - KEPT_MS;
      const firstKept = states.findLastIndex(({ stateTimeMs }) => stateTimeMs < pastMs);
      states = [...states.slice(Math.max(0, firstKept)), streamed];
    },
    shown(nowMs) {
      const newest = states.at(-1);
      if (!newest) return null;
      const atMs = robotTimeMs(nowMs) - PLAYBACK_DELAY_MS;
      if (atMs >= newest.stateTimeMs) return newest.state;
      const at = states.findLastIndex(({ stateTimeMs }) => stateTimeMs <= atMs);
      const [earlier, later] = [states[at], states[at + 1]];
      if (!earlier || !later) return (later ?? newest).state;
      return blend(earlier.state, later.state, (atMs - earlier.stateTimeMs) / (later.stateTimeMs - earlier.stateTimeMs));
    },
    ageMs(nowMs) {
      const newest = states.at(-1);
      return newest ? Math.max(0, robotTimeMs(nowMs) - newest.stateTimeMs) : null;
    },
    kept: () => states.length,
    clear,
  };
}

/** The least difference between two clocks that was seen lately: the rest of any other is the way of its packet. */
function createClockDifference() {
  let current = { leastMs: Number.POSITIVE_INFINITY, sinceMs: Number.NEGATIVE_INFINITY };
  let before = current;
  return {
    note(differenceMs: number, nowMs: number): void {
      if (nowMs - current.sinceMs > CLOCKS_WITHIN_MS / 2) {
        before = current;
        current = { leastMs: differenceMs, sinceMs: nowMs };
      }
      current.leastMs = Math.min(current.leastMs, differenceMs);
    },
    leastMs: (): number => Math.min(current.leastMs, before.leastMs),
  };
}
