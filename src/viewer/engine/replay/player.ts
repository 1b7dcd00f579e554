import { STEPS_PER_SECOND } from '../../../protocol/wire/limits.ts';

/** How fast a run can be shown, simulated seconds per second. */
export const PLAY_SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;

/** The current position of a replay in its run. */
export interface Player {
  /** Returns the current step, which may be fractional. @param lastStep the largest value returned */
  position(nowMs: number, lastStep: number): number;
  isPlaying(): boolean;
  speed(): number;
  play(nowMs: number, lastStep: number): void;
  pause(nowMs: number, lastStep: number): void;
  seek(step: number, nowMs: number): void;
  setSpeed(speed: number, nowMs: number, lastStep: number): void;
}

/** Creates a player that starts at the beginning, at the speed of the run. @param nowMs a monotonic clock */
export function createPlayer(nowMs: number): Player {
  let from = { step: 0, atMs: nowMs };
  let playing = true;
  let speed = 1;
  const position = (atMs: number, lastStep: number): number => {
    const passed = playing ? ((atMs - from.atMs) / 1000) * STEPS_PER_SECOND * speed : 0;
    const step = Math.min(from.step + passed, lastStep);
    // The player waits for steps that are not yet replayed, and does not skip them.
    if (playing && step >= lastStep) from = { step: lastStep, atMs };
    return step;
  };
  const settle = (atMs: number, lastStep: number): void => {
    from = { step: position(atMs, lastStep), atMs };
  };
  return {
    position,
    isPlaying: () => playing,
    speed: () => speed,
    play(atMs, lastStep) {
      settle(atMs, lastStep);
      playing = true;
    },
    pause(atMs, lastStep) {
      settle(atMs, lastStep);
      playing = false;
    },
    seek(step, atMs) {
      from = { step, atMs };
    },
    setSpeed(next, atMs, lastStep) {
      settle(atMs, lastStep);
      speed = next;
    },
  };
}
