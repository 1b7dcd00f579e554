import type { RenderState } from '../../../protocol/wire/render-state.ts';
import { blend } from './blend.ts';

/** One state of the world as received over the stream. */
export interface StreamedState {
  state: RenderState;
  /** The time of this state, milliseconds by the robot's clock. */
  stateTimeMs: number;
}

/**
 * Delay with which the world is shown, so that playback can interpolate towards a later state. It is two intervals of the stream
 * while something moves, plus a margin for late packets.
 */
export const PLAYBACK_DELAY_MS = 120;
/** States older than this are dropped. */
const KEPT_MS = 1_000;
const CLOCK_JUMP_MS = 5_000;
/**
 * The fastest packet within this period determines the difference of the clocks. In that time, two clocks drift apart by an
 * insignificant amount.
 */
const CLOCKS_WITHIN_MS = 30_000;

/** Plays a stream of states, and reports the age of the shown state. */
export interface Playback {
  /** Takes a state that has just arrived; one older than the newest is dropped. @param nowMs a monotonic clock */
  take(streamed: StreamedState, nowMs: number): void;
  /** Returns the world to draw now; the same object while nothing moves. Null before the first state. */
  shown(nowMs: number): RenderState | null;
  /**
   * Returns the age of the newest state, measured beyond the shortest transit time of a packet. The clocks of two machines allow
   * no better measurement. Null before the first state.
   */
  ageMs(nowMs: number): number | null;
  /** Returns the number of states that it remembers. */
  kept(): number;
  /** Forgets all states, because another robot is shown from now on. */
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

  /** Returns the time by the robot's clock, estimated from the packets. */
  const robotTimeMs = (nowMs: number): number => nowMs - clocks.leastMs();

  return {
    take(streamed, nowMs) {
      // Packets overtake each other by less than this. A larger step means that the robot's clock was set back.
      if (newestMs() - streamed.stateTimeMs > CLOCK_JUMP_MS) clear();
      const newest = states.at(-1);
      clocks.note(nowMs - streamed.stateTimeMs, nowMs);
      if (newest && streamed.stateTimeMs <= newest.stateTimeMs) return;
      // The last state before the shown time is kept, because movement begins there.
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

/** Tracks the smallest recent difference between the two clocks. Any excess over it is the transit time of a packet. */
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
