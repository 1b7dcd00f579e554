import type { RuntimeCore } from '../../src/runtime/core.ts';
import { planar, readTruth, requireFinite, type Truth, wrap } from './truth.ts';

/** The settle window of promise P1: 0.25 s of 1/120 s steps, one less for the step in which the answer is given. */
const WINDOW_STEPS = 29;

/** Reads every step of a world and remembers the last quarter of a second. */
export interface Witness {
  /** Call it after every step. */
  look(): void;
  now(): Truth;
  /** The last quarter of a second, newest last; shorter in a world that is younger. */
  window(): readonly Truth[];
  /** Path of the base over the floor since the last `mark`, metres, and its turning, radians, both summed up. */
  travelled(): { pathM: number; turnedRad: number };
  mark(): Truth;
}

export function createWitness(core: RuntimeCore): Witness {
  const seen: Truth[] = [readTruth(core, null)];
  let pathM = 0;
  let turnedRad = 0;
  const now = (): Truth => {
    const newest = seen.at(-1);
    if (!newest) throw new Error('nothing was seen');
    return newest;
  };
  const look = (): void => {
    const before = now();
    const truth = readTruth(core, before);
    if (truth.world !== before.world) seen.length = 0;
    else if (truth.step === before.step) seen.pop();
    else {
      pathM += planar(truth.robot, before.robot);
      turnedRad += Math.abs(wrap(truth.robot.yawRad - before.robot.yawRad));
    }
    // A lost number stays lost, so an occasional check suffices for numbers that no reading has.
    if (truth.step % WINDOW_STEPS === 0) requireFinite(core);
    seen.push(truth);
    if (seen.length > WINDOW_STEPS) seen.shift();
  };
  return {
    look,
    now,
    window: () => seen,
    travelled: () => ({ pathM, turnedRad }),
    mark() {
      // A call may have replaced the world since the last step.
      look();
      requireFinite(core);
      pathM = 0;
      turnedRad = 0;
      return now();
    },
  };
}
