import { HEAD_PITCH_ABOVE_NECK_M, JOINT_INDEX, NECK_ABOVE_WAIST_M } from '../../protocol/robots/humanoid.ts';
import { FRAME_SIZE } from '../rotation.ts';
import { armIndex } from './arm-ik.ts';
import { FRAME } from './kinematics.ts';

type Numbers = readonly [number, number, number];

/** All points within `radiusM` of a box in a link's frame; the box may be as thin as a line. */
export interface Solid {
  /** Where the link's frame begins. */
  frame: number;
  centreM: Numbers;
  halfM: Numbers;
  radiusM: number;
}

/** Part of an arm: a ball on the link of joint `joint`, 0…4; outward is the direction of the back of the hand. */
export interface Ball {
  joint: number;
  xM: number;
  outwardM: number;
  zM: number;
  radiusM: number;
}

const frameOf = (joint: number): number => (joint + 1) * FRAME_SIZE;
const solid = (frame: number, centreM: Numbers, halfM: Numbers, radiusM: number): Solid => ({ frame, centreM, halfM, radiusM });

const UPPER_ARM = 2;
const ELBOW = 3;
const WRIST = 4;
const HEAD_M = NECK_ABOVE_WAIST_M + HEAD_PITCH_ABOVE_NECK_M + 0.05;
export const HIP_YAWS = [JOINT_INDEX.rightLeg + 2, JOINT_INDEX.leftLeg + 2] as const;

/** Chest, pack, abdomen, head, pelvis and thighs, as they are drawn; the head counts as if it looked ahead. */
export const TRUNK_SOLIDS: readonly Solid[] = [
  solid(FRAME.torso, [-0.006, 0, 0.21], [0, 0.031, 0.03], 0.082),
  solid(FRAME.torso, [-0.092, 0, 0.222], [0.02, 0.075, 0.07], 0.012),
  solid(FRAME.torso, [0, 0, 0.06], [0.025, 0.045, 0.04], 0.044),
  solid(FRAME.torso, [0.004, 0, HEAD_M], [0.004, 0, 0.01], 0.082),
  solid(FRAME.pelvis, [0, 0, 0.02], [0.03, 0.045, 0.015], 0.044),
  ...HIP_YAWS.map((joint) => solid(frameOf(joint), [0.005, 0, -0.15], [0, 0, 0.1], 0.052)),
];

/** The left arm's parts, for the right one to meet, and the right one's. */
export const OTHER_ARM_SOLIDS: readonly [readonly Solid[], readonly Solid[]] = [armSolids(1), armSolids(0)];

function armSolids(side: 0 | 1): readonly Solid[] {
  const outward = side === 0 ? -1 : 1;
  return [
    solid(frameOf(armIndex(side) + UPPER_ARM), [0, 0, -0.135], [0, 0, 0.085], 0.036),
    solid(frameOf(armIndex(side) + ELBOW), [0, 0, -0.09], [0, 0, 0.09], 0.033),
    solid(frameOf(armIndex(side) + WRIST), [0, outward * 0.009, -0.05], [0.025, 0, 0.03], 0.019),
  ];
}

/** The balls that meet them: along the forearm, and the corners of the hand. */
export const ARM_BALLS: readonly Ball[] = [
  ...[0, -0.06, -0.12].map((zM) => ({ joint: ELBOW, xM: 0, outwardM: 0, zM, radiusM: 0.034 })),
  { joint: ELBOW, xM: 0, outwardM: 0, zM: -0.18, radiusM: 0.028 },
  ...[-0.028, 0.028].flatMap((xM) => [-0.025, -0.075].map((zM) => ({ joint: WRIST, xM, outwardM: 0.009, zM, radiusM: 0.02 }))),
];
