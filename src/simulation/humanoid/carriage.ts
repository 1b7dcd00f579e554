import { clamp } from '../../common/clamp.ts';
import { cos, hypot, power, sin } from '../../common/portable-math.ts';
import {
  ANKLE_HEIGHT_M,
  BASE_HEIGHT_M,
  HIP_OFFSET,
  STANDING_LEFT_ARM_RAD,
  STANDING_RIGHT_ARM_RAD,
} from '../../protocol/robots/humanoid.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import { follow } from '../motion.ts';
import { setYawPitchFrame } from '../rotation.ts';
import { halfWidthM, rhythmOf } from './gait.ts';
import type { GaitState } from './gait-state.ts';
import { LEG_REACH_M } from './leg-ik.ts';
import { ARM_JOINT_COUNT, type ManipulatorState } from './manipulator-state.ts';
import { heldPosture, ROLL } from './manipulator-step.ts';
import { hipPoint, sideSign } from './stance.ts';

/** How quickly the trunk follows the steps, natural angular frequencies. */
const SWAY_PER_S = 9;
const RISE_PER_S = 12;
/** The rate that applies where the legs would not span the next step otherwise. */
const SINK_PER_S = 16;
const TWIST_PER_S = 12;
const LEAN_PER_S = 6;
const STRIDE_PER_S = 14;

const SWAY_M = 0.016;
const BOB_M = 0.012;
/** Pelvis turn per metre that one foot is ahead of the other; trunk lean per metre a second. */
const TWIST_RAD_PER_M = 0.2;
const LEAN_RAD_PER_MPS = 0.045;
/** A foot is over its landing place this long before the base has come as near as it will be at the landing. */
const EARLY_S = 0.06;
/** From the middle of the body to the foot on the outside of a turn, and a little for its toes. */
const OUTER_FOOT_M = 0.13;
/** How far ahead a change of speed is seen: the pelvis goes down before the longer steps come. */
const FORESEE_S = 0.2;
/** How far ahead the legs' span is looked at, and what the pelvis keeps below it. */
const LOOK_AHEAD_S = 0.12;
const SPAN_MARGIN_M = 0.004;
/** One radian a second counts like this many metres a second, wherever it matters how fast the base moves. */
export const TURNING_M = 0.2;
/** From this speed on the legs' span bounds the height of the pelvis; slower, the legs stand as the posture has them. */
const SPANS_FROM_MPS = 0.03;
/** From these speeds on the trunk bobs, the pelvis is lowered, and the arms swing as much as they ever do. */
const FULL_BOB_MPS = 0.6;
const FULL_DROP_MPS = 0.15;
const FULL_SWING_MPS = 0.4;
/** At this speed and above the trunk sways less, by this share. */
const LESS_SWAY_MPS = 1.2;
const LESS_SWAY = 0.5;
/** A walking pelvis is lowered by at least this. */
const LEAST_DROP_M = 0.012;
/** Bounds of twist and lean, and of how far the opposite foot leads an arm's swing. */
const MOST_TWIST_RAD = 0.1;
const MOST_LEAN_RAD = 0.08;
const MOST_STRIDE_M = 0.22;
/** Arms that are drawn in: beside the trunk, within the disc of the base. Right, then left. */
const TUCKED_RAD: readonly number[] = [0.22, 0.05, 0, -0.55, 0, -0.22, -0.05, 0, 0.55, 0];
/** Arms that are drawn in swing this much less; the trunk between them does not sway. */
const LESS_TUCKED_SWING = 0.8;
/** How far an arm swings per metre that the opposite foot is ahead: at the shoulder and at the elbow. */
const SHOULDER_RAD_PER_M = 1.7;
const ELBOW_RAD_PER_M = 0.9;
/** A leg counts as stretched no farther than this along the floor: its height over the floor stays a number. */
const MOST_STRETCH_M = 0.4;
/** The least square of the height of a hip over its ankle, for a foot that is out of reach. */
const LEAST_RISE_M2 = 0.05;
/** Width of the soft edge where the legs' reach takes over the pelvis' height. */
const SOFT_EDGE_M = 0.011;

/** Computes how pelvis and arms follow the steps; call it after the gait's step. */
export function stepCarriage(gait: GaitState, base: PlanarPose, hands: ManipulatorState, dtS: number): void {
  const [right, left] = gait.feet;
  const [vx, vy, wz] = gait.velocity;
  const speedMps = hypot(vx, vy);
  const onOneLeg = right.planted !== left.planted;

  const towards = left.planted ? 1 : -1;
  follow(gait.sway, onOneLeg ? towards * SWAY_M * (1 - LESS_SWAY * Math.min(1, speedMps / LESS_SWAY_MPS)) : 0, SWAY_PER_S, dtS);

  const flying = right.planted ? left : right;
  const highest = onOneLeg ? 1 - flying.x.remainingS / Math.max(flying.swingS, dtS) : 0;
  const bob = onOneLeg ? BOB_M * (4 * highest * (1 - highest) - 0.5) * Math.min(1, speedMps / FULL_BOB_MPS) : 0;
  const wantedM = bob - walkingDropM(gait);
  const { height } = hands.posture;
  const isWalking = speedMps + TURNING_M * Math.abs(wz) > SPANS_FROM_MPS;
  const spanM = isWalking
    ? spannedM(gait, base, heldPosture(hands, 'shiftX')) - height.value - height.velocity * LOOK_AHEAD_S
    : Number.POSITIVE_INFINITY;
  follow(gait.rise, Math.min(wantedM, spanM), spanM < gait.rise.value ? SINK_PER_S : RISE_PER_S, dtS);

  const c = cos(base.yawRad);
  const s = sin(base.yawRad);
  const rightAheadM = c * (right.x.value - base.x) + s * (right.y.value - base.y);
  const leftAheadM = c * (left.x.value - base.x) + s * (left.y.value - base.y);
  follow(gait.twist, clamp(TWIST_RAD_PER_M * (rightAheadM - leftAheadM), -MOST_TWIST_RAD, MOST_TWIST_RAD), TWIST_PER_S, dtS);
  follow(gait.lean, clamp(LEAN_RAD_PER_MPS * vx, -MOST_LEAN_RAD, MOST_LEAN_RAD), LEAN_PER_S, dtS);
  const share = Math.min(1, (speedMps + TURNING_M * Math.abs(wz)) / FULL_SWING_MPS);
  follow(gait.stride[0], clamp(leftAheadM, -MOST_STRIDE_M, MOST_STRIDE_M) * share, STRIDE_PER_S, dtS);
  follow(gait.stride[1], clamp(rightAheadM, -MOST_STRIDE_M, MOST_STRIDE_M) * share, STRIDE_PER_S, dtS);
}

/** Returns how much lower the pelvis is held at a velocity, so that the legs span the coming steps. */
function walkingDropM({ velocity, acceleration }: GaitState): number {
  const vx = foreseen(velocity[0], acceleration[0]);
  const vy = foreseen(velocity[1], acceleration[1]);
  const wz = foreseen(velocity[2], acceleration[2]);
  const soon: [number, number, number] = [vx, vy, wz];
  const rhythm = rhythmOf(soon);
  const halfS = (rhythm.cycleS * rhythm.duty) / 2 + EARLY_S;
  const widthM = halfWidthM(soon, rhythm) - HIP_OFFSET[1];
  // The outer foot of a turn steps farther than the base moves.
  const outerMps = Math.abs(vx) + Math.abs(wz) * OUTER_FOOT_M;
  const stretchM = hypot(outerMps * halfS, widthM + Math.abs(vy) * halfS);
  const heightM =
    Math.sqrt(power(LEG_REACH_M, 2) - power(Math.min(stretchM, MOST_STRETCH_M), 2)) + ANKLE_HEIGHT_M - HIP_OFFSET[2];
  const speedMps = hypot(vx, vy) + TURNING_M * Math.abs(wz);
  return Math.max(BASE_HEIGHT_M - heightM, LEAST_DROP_M) * Math.min(1, speedMps / FULL_DROP_MPS);
}

/** Returns how high the pelvis, this far ahead of the base, may soon be for both legs to span from the hips to the feet's next places. */
function spannedM({ feet, velocity: [vx, vy, wz] }: GaitState, base: PlanarPose, aheadM: number): number {
  let highestM = Number.POSITIVE_INFINITY;
  for (const side of [0, 1] as const) {
    const foot = feet[side];
    const aheadS = foot.planted ? LOOK_AHEAD_S : foot.x.remainingS;
    const yawRad = base.yawRad + wz * aheadS;
    const [c, s] = [cos(yawRad), sin(yawRad)];
    const hipY = sideSign(side) * HIP_OFFSET[1];
    const dx = base.x + (c * vx - s * vy) * aheadS + c * aheadM - s * hipY - foot.x.goal;
    const dy = base.y + (s * vx + c * vy) * aheadS + s * aheadM + c * hipY - foot.y.goal;
    const flat = Math.min(hypot(dx, dy), MOST_STRETCH_M);
    highestM = Math.min(highestM, Math.sqrt(LEG_REACH_M * LEG_REACH_M - flat * flat));
  }
  return highestM + ANKLE_HEIGHT_M - HIP_OFFSET[2] - SPAN_MARGIN_M;
}

/** Predicts a speed: one that grows is expected to grow on; one that falls is not expected to fall on. */
function foreseen(speed: number, acceleration: number): number {
  const change = acceleration * FORESEE_S;
  return speed * change > 0 ? speed + change : speed;
}

/**
 * Computes the arms' swing: each follows the opposite foot about the standing pose, or about the one in which it is drawn in. Ten angles, right then left.
 * @param ownShare how far the arms follow the swing alone, 0…1: they come from the side when they come from elsewhere
 */
export function swingArms(out: Float64Array, { stride, tuck: { value: tuck } }: GaitState, ownShare: number): void {
  out.set(STANDING_RIGHT_ARM_RAD, 0);
  out.set(STANDING_LEFT_ARM_RAD, ARM_JOINT_COUNT / 2);
  if (tuck > 0) {
    for (let i = 0; i < ARM_JOINT_COUNT; i += 1) {
      const own = i % (ARM_JOINT_COUNT / 2) === ROLL ? tuck * power(ownShare, 3) : tuck;
      out[i] = (out[i] as number) + own * ((TUCKED_RAD[i] as number) - (out[i] as number));
    }
  }
  const share = 1 - LESS_TUCKED_SWING * tuck;
  for (const side of [0, 1] as const) {
    const aheadM = stride[side].value * share;
    const mirror = side === 0 ? 1 : -1;
    const pitch = side * 5;
    out[pitch] = (out[pitch] as number) - mirror * SHOULDER_RAD_PER_M * aheadM;
    out[pitch + 3] = (out[pitch + 3] as number) - mirror * (ELBOW_RAD_PER_M * aheadM);
  }
}

const _place_hip = new Float64Array(3);

/**
 * Places the pelvis in the world: the posture that the hands need, the steps' sway on top, and never higher than both legs reach.
 * Writes the pelvis frame at 0.
 */
export function placePelvis(frames: Float64Array, base: PlanarPose, gait: GaitState, hands: ManipulatorState): void {
  const c = cos(base.yawRad);
  const s = sin(base.yawRad);
  const aheadM = heldPosture(hands, 'shiftX');
  const leftM = hands.posture.shiftY.value + gait.sway.value * (1 - gait.tuck.value);
  const x = base.x + c * aheadM - s * leftM;
  const y = base.y + s * aheadM + c * leftM;
  const yawRad = base.yawRad + gait.twist.value;
  const pitchRad = heldPosture(hands, 'lean') + gait.lean.value;
  const wantedM = heldPosture(hands, 'height') + gait.rise.value;
  setYawPitchFrame(frames, 0, yawRad, pitchRad, x, y, 0);
  let highestM = Number.POSITIVE_INFINITY;
  for (const side of [0, 1] as const) {
    const foot = gait.feet[side];
    hipPoint(_place_hip, frames, side);
    const dx = (_place_hip[0] as number) - foot.x.value - foot.asideX;
    const dy = (_place_hip[1] as number) - foot.y.value - foot.asideY;
    const flat = hypot(dx, dy);
    const riseM = Math.sqrt(Math.max(LEG_REACH_M * LEG_REACH_M - flat * flat, LEAST_RISE_M2));
    highestM = Math.min(highestM, foot.zM + riseM - (_place_hip[2] as number));
  }
  frames[11] = softMin(wantedM, highestM - 1e-4);
}

/** The smaller of the two, rounded off where they cross; never more than `bound`. */
function softMin(value: number, bound: number): number {
  const gap = bound - value;
  if (gap >= SOFT_EDGE_M) return value;
  if (gap <= -SOFT_EDGE_M) return bound;
  return bound - power(gap + SOFT_EDGE_M, 2) / (4 * SOFT_EDGE_M);
}
