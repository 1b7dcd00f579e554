import { JOINTS } from '../../../../src/protocol/robots/humanoid.ts';
import { STEP_S } from '../../../../src/protocol/wire/limits.ts';
import type { BodyState } from '../../../../src/simulation/humanoid/body.ts';

/** The extremes of a run of joint angles. */
export interface JointWatch {
  see(body: BodyState): void;
  /** Fastest joint, rad/s, and its name. */
  fastestRps: number;
  fastest: string;
  /** Largest change of a joint's speed from one step to the next, rad/s. */
  roughestRps: number;
  roughest: string;
  /** The maximum by which a limit was exceeded; not positive if all were kept. */
  beyondLimitRad: number;
}

/** Watches the joints of one body step by step. */
export function watchJoints(): JointWatch {
  let last: Float64Array | null = null;
  let lastRps: number[] | null = null;
  const watch: JointWatch = {
    fastestRps: 0,
    fastest: '',
    roughestRps: 0,
    roughest: '',
    beyondLimitRad: Number.NEGATIVE_INFINITY,
    see(body) {
      const now = Float64Array.from(body.jointPositions);
      const before = last;
      const beforeRps = lastRps;
      const rps = before ? Array.from(now, (rad, i) => (rad - (before[i] ?? Number.NaN)) / STEP_S) : null;
      JOINTS.forEach(({ name, minRad, maxRad }, i) => {
        const rad = now[i] ?? Number.NaN;
        watch.beyondLimitRad = Math.max(watch.beyondLimitRad, minRad - rad, rad - maxRad);
        const speed = Math.abs(rps?.[i] ?? 0);
        if (!(speed <= watch.fastestRps)) Object.assign(watch, { fastestRps: speed, fastest: name });
        const change = rps && beforeRps ? Math.abs((rps[i] ?? 0) - (beforeRps[i] ?? 0)) : 0;
        if (!(change <= watch.roughestRps)) Object.assign(watch, { roughestRps: change, roughest: name });
      });
      last = now;
      lastRps = rps;
    },
  };
  return watch;
}
