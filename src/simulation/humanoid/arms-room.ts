import { cos, hypot, sin } from '../../common/portable-math.ts';
import { HAND_LENGTH_M, JOINT_INDEX } from '../../protocol/robots/humanoid.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import type { Obstacle } from '../../protocol/wire/scene.ts';
import { giveWay, holdWay } from '../give-way.ts';
import type { BodyInput } from '../robot.ts';
import { createNearBoxes, depthInBoxesM, findNearBoxes, type NearBoxes } from '../room-beside.ts';
import { FRAME_SIZE, setYawPitchFrame } from '../rotation.ts';
import { armIndex } from './arm-ik.ts';
import { FRAMES_LENGTH, updateFrames } from './kinematics.ts';
import { ARM_JOINT_COUNT } from './manipulator-state.ts';
import { settled } from './manipulator-step.ts';
import type { Posture } from './posture.ts';
import type { BodyState } from './state.ts';

/** The room that the arms have among what stands fixed. */

const ARM_JOINTS = ARM_JOINT_COUNT / 2;
/** No part of an arm is farther than this from the middle of the base. */
const ARM_REACH_M = 0.95;
/** An arm that is folded before the chest: shoulder pitch, roll, yaw and elbow of the right one, the left is its mirror image. The wrist stays as it is. */
const FOLDED_RAD = [0.4, 0.05, 0.4, -2.45] as const;
/** Of these, the joints that bring the hand inward. */
const INWARD: readonly number[] = [1, 2];
/** The left arm's joints that turn the other way round: all but the wrist. */
const MIRROR = -1;
/** The middle of forearm and hand keep this far from what stands fixed, now and where arms and base will be so much later. */
const AIR_M = 0.03;
const AHEAD_S = 0.12;
/** An arm that nothing moves stays as it is: base and hands are slower than this. */
const STANDS_MPS = 0.02;

const _near = createNearBoxes();
const _meet_frames = new Float64Array(FRAMES_LENGTH);
const _wanted = new Float64Array(ARM_JOINTS);
const _speeds = new Float64Array(ARM_JOINTS);

/** Returns how deep a point on the line through two origins of frames is inside of a box; a share beyond 1 is beyond the second. */
function depthBetweenM(
  near: NearBoxes,
  frames: Float64Array,
  from: number,
  to: number,
  share: number,
  x: number,
  y: number,
): number {
  const at = (i: number): number => {
    const start = frames[from + i] as number;
    return start + share * ((frames[to + i] as number) - start);
  };
  return depthInBoxesM(near, at(9) + x, at(10) + y, at(11));
}

function depthOnHandM(near: NearBoxes, frames: Float64Array, wrist: number, alongM: number, x: number, y: number): number {
  const at = (i: number): number => (frames[wrist + 9 + i] as number) - alongM * (frames[wrist + 3 * i + 2] as number);
  return depthInBoxesM(near, at(0) + x, at(1) + y, at(2));
}

/**
 * Returns how deep the middle line of an arm is inside of a box, metres; negative outside, by the distance.
 * @param frames with those of the arm up to date
 * @param x shift of the whole arm, world frame, metres
 */
function armDepthM(near: NearBoxes, frames: Float64Array, side: 0 | 1, x = 0, y = 0): number {
  const [shoulder, elbow, wrist] = [3, 4, 5].map((joints) => (armIndex(side) + joints) * FRAME_SIZE) as [number, number, number];
  return Math.max(
    depthBetweenM(near, frames, shoulder, elbow, 0.4, x, y),
    depthBetweenM(near, frames, shoulder, elbow, 0.7, x, y),
    depthBetweenM(near, frames, elbow, wrist, 0, x, y),
    depthBetweenM(near, frames, elbow, wrist, 0.35, x, y),
    depthBetweenM(near, frames, elbow, wrist, 0.7, x, y),
    depthOnHandM(near, frames, wrist, 0, x, y),
    depthOnHandM(near, frames, wrist, HAND_LENGTH_M / 2, x, y),
    depthOnHandM(near, frames, wrist, HAND_LENGTH_M, x, y),
  );
}

/** Returns whether an arm would be inside of a box, by its middle line, with the body in a posture at a base pose. */
export function armsMeet(
  obstacles: readonly Obstacle[],
  base: PlanarPose,
  posture: Posture,
  jointPositions: Float64Array,
): boolean {
  findNearBoxes(_near, obstacles, base.x, base.y, ARM_REACH_M);
  if (_near.at.length === 0) return false;
  const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
  const { shiftXM, shiftYM, heightM, leanRad } = posture;
  const [x, y] = [base.x + c * shiftXM - s * shiftYM, base.y + s * shiftXM + c * shiftYM];
  setYawPitchFrame(_meet_frames, 0, base.yawRad, leanRad, x, y, heightM);
  updateFrames(_meet_frames, jointPositions, JOINT_INDEX.waist, JOINT_INDEX.headYaw);
  return armDepthM(_near, _meet_frames, 0) > 0 || armDepthM(_near, _meet_frames, 1) > 0;
}

/**
 * Folds each arm as far as it takes to keep out of what stands fixed, while it is on its way or the base moves it, with nothing in the hands. Hands that work in
 * the world have their place there, so their arms unfold. The angles in `armsRad` are those without the fold.
 */
export function armsGiveWay(body: BodyState, { base, velocityBody: { vx, vy, wz }, obstacles, isHolding, dtS }: BodyInput): void {
  const { manipulator: m, frames, jointPositions } = body;
  const isWithBase = m.source === 'grip' && m.frame === 'base';
  const mayFold = !isHolding && (!settled(m) || isWithBase);
  if (!mayFold && m.giveWay.every(({ value }) => value === 0)) return;
  const isStill = mayFold && settled(m) && hypot(vx, vy) + ARM_REACH_M * Math.abs(wz) < STANDS_MPS;
  findNearBoxes(_near, obstacles, base.x, base.y, ARM_REACH_M);
  const isFree = !mayFold || _near.at.length === 0;
  const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
  const [aheadX, aheadY] = [(c * vx - s * vy) * AHEAD_S, (s * vx + c * vy) * AHEAD_S];
  for (const side of [0, 1] as const) {
    const first = armIndex(side);
    _wanted.set(jointPositions.subarray(first, first + ARM_JOINTS));
    _speeds.set(m.armsVelocity.subarray(side * ARM_JOINTS, (side + 1) * ARM_JOINTS));
    const depthM = (share: number): number => {
      if (isFree) return Number.NEGATIVE_INFINITY;
      fold(jointPositions, first, side, share, 0);
      updateFrames(frames, jointPositions, first, first + ARM_JOINTS);
      const nowM = armDepthM(_near, frames, side);
      fold(jointPositions, first, side, share, AHEAD_S);
      updateFrames(frames, jointPositions, first, first + ARM_JOINTS);
      return AIR_M + Math.max(nowM, armDepthM(_near, frames, side, aheadX, aheadY));
    };
    if (isStill) holdWay(m.giveWay[side], dtS);
    else giveWay(m.giveWay[side], depthM, dtS);
    fold(jointPositions, first, side, m.giveWay[side].value, 0);
  }
}

function fold(jointPositions: Float64Array, first: number, side: 0 | 1, share: number, aheadS: number): void {
  for (let i = 0; i < ARM_JOINTS; i += 1) {
    const wanted = (_wanted[i] as number) + aheadS * (_speeds[i] as number);
    const folded = FOLDED_RAD[i];
    // First back and up, then inward: what the hands have just let go stands between them.
    const own = INWARD.includes(i) ? share * share : share;
    jointPositions[first + i] = folded === undefined ? wanted : wanted + own * ((side === 0 ? 1 : MIRROR) * folded - wanted);
  }
}
