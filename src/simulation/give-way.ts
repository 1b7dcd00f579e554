import { clamp } from '../common/clamp.ts';
import { type Follower, follow } from './motion.ts';

/** How limbs on their way give way to what stands fixed: by a share of the way to a place where they are drawn in. */

/** The share is looked for in steps of this. */
const STEP = 0.125;
/** It grows no faster than this, per second, changes its speed no faster than this, and goes back at this rate; the least share counts as none. */
const MOST_PER_S = 4.5;
const MOST_PER_S2 = 150;
const BACK_PER_S = 16;
const NOTHING = 0.004;

/**
 * Moves on the share of the way to being drawn in: the least with which the limb is clear, and back to 0 when it is clear without.
 * @param depthM how deep the limb would be inside of something with a share; it is clear up to 0
 */
export function giveWay(state: Follower, depthM: (share: number) => number, dtS: number): void {
  const { value: before, velocity: beforePerS } = state;
  follow(state, 0, BACK_PER_S, dtS);
  if (state.value < NOTHING && state.velocity <= 0) {
    state.value = 0;
    state.velocity = 0;
  }
  const least = clamp(state.value, 0, 1);
  let lowerM = depthM(least);
  if (lowerM <= 0) return;
  let [best, bestM] = [least, lowerM];
  for (let share = least + STEP; best < 1 && bestM > 0; share += STEP) {
    const at = Math.min(share, 1);
    const thereM = depthM(at);
    if (thereM <= 0) {
      best = at - ((at - Math.max(least, at - STEP)) * thereM) / (thereM - lowerM);
      bestM = 0;
    } else if (thereM < bestM) {
      best = at;
      bestM = thereM;
    }
    lowerM = thereM;
    if (at === 1) break;
  }
  const wantedPerS = clamp((best - before) / dtS, 0, MOST_PER_S);
  state.velocity = clamp(wantedPerS, beforePerS - MOST_PER_S2 * dtS, beforePerS + MOST_PER_S2 * dtS);
  state.value = before + state.velocity * dtS;
}

/** Brings a change of the share to rest where it is. */
export function holdWay(state: Follower, dtS: number): void {
  const brakedPerS = MOST_PER_S2 * dtS;
  state.velocity -= clamp(state.velocity, -brakedPerS, brakedPerS);
  state.value += state.velocity * dtS;
}
