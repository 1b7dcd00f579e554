/**
 * The bounds of a motion at its extremes, and the sentences for values beyond them. Bounds are a little above the values of the
 * shipped body.
 */
import type { JointGroup, Worst } from './joints-judge.ts';
import type { MotionSeen } from './judge.ts';

const SPEED_RPS: Record<JointGroup, number> = { legs: 22, trunk: 4, arms: 14, head: 6.1 };
/** Change of a joint's speed from one step to the next. */
const SNAP_RPS: Record<JointGroup, number> = { legs: 14, trunk: 0.8, arms: 12, head: 1.5 };
/** The minimum that a foot moves or turns on the floor, is below it, or that both soles overlap. */
const SLIDE_M = 0.02;
const TWIST_RAD = 0.026;
const BELOW_FLOOR_M = 0.002;
const SOLES_OVERLAP_M = 0.004;
const FLIGHT_S = 0.05;
const HEAVE_MPS = 1.3;
/** A base that an obstacle stops dead moves the hips with it. */
const HEAVE_MPS2 = 80;
const HAND_MPS2 = 80;
/** Shells look slightly soft; the depth to which parts may overlap. */
const TOUCH_M = 0.005;
const TOUCH_BY_PAIR_M: readonly [RegExp, number][] = [
  // Upper arms lie on the chest's rounded sides while the hands are before it.
  [/^chest and (right|left) upper arm$/, 0.022],
  // In the deepest crouch over a near cube an arm lies on the thigh.
  [/^(right|left) upper arm and (right|left) thigh$/, 0.013],
  // The rim of a cube lies over the wrists, because palms take it in their middle.
  [/forearm and cube$/, 0.034],
];

/** Sentences for all values out of bounds. */
export function breaches(seen: MotionSeen): string[] {
  const failures: string[] = [];
  const most = ({ value, where }: Worst, bound: number, what: string): void => {
    if (!(value <= bound)) failures.push(`${what} ${value.toFixed(4)}, at most ${bound} is expected (${where})`);
  };
  const { joints, feet, touch } = seen;
  most(joints.beyondRad, 1e-9, 'a joint is beyond its limit by rad');
  for (const group of ['legs', 'trunk', 'arms', 'head'] as const) {
    most(joints.speedRps[group], SPEED_RPS[group], `a joint of the ${group} moves at rad/s`);
    most(joints.snapRps[group], SNAP_RPS[group], `a joint of the ${group} changes its speed within a step by rad/s`);
  }
  if (feet.slideM.where) most(feet.slideM, SLIDE_M, 'a foot on the floor slides by metres');
  if (feet.twistRad.where) most(feet.twistRad, TWIST_RAD, 'a foot on the floor turns by rad');
  most(feet.belowFloorM, BELOW_FLOOR_M, 'a sole is below the floor by metres');
  most(feet.overlapM, SOLES_OVERLAP_M, 'the soles overlap by metres');
  most({ value: feet.longestFlightS, where: 'the whole run' }, FLIGHT_S, 'no foot is on the floor for seconds');
  most(seen.heaveMps, HEAVE_MPS, 'the pelvis rises or sinks at m/s');
  most(seen.heaveMps2, HEAVE_MPS2, 'the pelvis is jerked up or down at m/s²');
  most(seen.handMps2, HAND_MPS2, 'a hand is jerked against the trunk at m/s²');
  for (const [pair, worst] of touch.depthM) {
    const bound = TOUCH_BY_PAIR_M.find(([pattern]) => pattern.test(pair))?.[1] ?? TOUCH_M;
    most(worst, bound, `${pair} run into each other by metres`);
  }
  return failures;
}
