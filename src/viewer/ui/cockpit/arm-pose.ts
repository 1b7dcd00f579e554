import { withinLimit } from '../../../common/clamp.ts';
import { STANDING_LEFT_ARM_RAD, STANDING_RIGHT_ARM_RAD } from '../../../protocol/robots/humanoid.ts';

/** A pose of both arms as `set_upper_body` takes it, radians: shoulder pitch, roll, yaw, elbow, wrist yaw. */
export interface ArmPose {
  r_arm: readonly number[];
  l_arm: readonly number[];
}

export type ArmSide = keyof ArmPose;

export const ARM_SIDES: readonly ArmSide[] = ['r_arm', 'l_arm'];
export const ARM_TEXTS: Record<ArmSide, string> = { r_arm: 'Right arm', l_arm: 'Left arm' };
/** In the order of the numbers; the robot's own description of the skill names them wrongly. */
export const JOINT_TEXTS = ['Shoulder pitch', 'Shoulder roll', 'Shoulder yaw', 'Elbow', 'Wrist yaw'] as const;

/** The cockpit sends no angle beyond this, radians; the robot checks nothing. */
export const POSE_LIMIT_RAD = 1.5;
export const NUDGE_RAD = 0.05;
export const STANDING_POSE: ArmPose = { r_arm: STANDING_RIGHT_ARM_RAD, l_arm: STANDING_LEFT_ARM_RAD };

/** The joint that the next nudge moves. */
export interface JointChoice {
  side: ArmSide;
  /** Index into `JOINT_TEXTS`. */
  joint: number;
}

/** Rounds to ten thousandths of a radian. That is finer than any servo, and sums of nudges stay whole multiples. */
const tidyRad = (rad: number): number => Number(rad.toFixed(4)) || 0;

const mapped = (pose: ArmPose, change: (rad: number, side: ArmSide, joint: number) => number): ArmPose => ({
  r_arm: pose.r_arm.map((rad, joint) => change(rad, 'r_arm', joint)),
  l_arm: pose.l_arm.map((rad, joint) => change(rad, 'l_arm', joint)),
});

/** Limits every angle to ±`POSE_LIMIT_RAD`. */
export const clampedPose = (pose: ArmPose): ArmPose => mapped(pose, (rad) => tidyRad(withinLimit(rad, POSE_LIMIT_RAD)));

/** Moves one joint by an angle, radians, within the limit. */
export const nudgedPose = (pose: ArmPose, choice: JointChoice, byRad: number): ArmPose =>
  mapped(pose, (rad, side, joint) =>
    side === choice.side && joint === choice.joint ? tidyRad(withinLimit(rad + byRad, POSE_LIMIT_RAD)) : rad,
  );

/** Returns the next or previous joint of the same arm, cyclically. */
export function nextJoint({ side, joint }: JointChoice, by: 1 | -1): JointChoice {
  const count = JOINT_TEXTS.length;
  return { side, joint: (joint + by + count) % count };
}

/** Returns a pose between two poses, with no joint moved further than `mostRad`. */
export const poseTowards = (from: ArmPose, to: ArmPose, mostRad: number): ArmPose =>
  mapped(from, (rad, side, joint) => {
    const leftRad = (to[side][joint] ?? rad) - rad;
    return Math.abs(leftRad) <= mostRad ? rad + leftRad : rad + Math.sign(leftRad) * mostRad;
  });

/** Returns the widest angle between two poses, radians. */
export const poseGapRad = (one: ArmPose, other: ArmPose): number =>
  Math.max(...ARM_SIDES.flatMap((side) => one[side].map((rad, joint) => Math.abs(rad - (other[side][joint] ?? Number.NaN)))));
