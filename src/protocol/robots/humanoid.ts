import type { Vec3 } from '../wire/geometry.ts';
import type { RobotModel, TurningJoint } from '../wire/robot.ts';
import { ROBOT_MODEL_NAMES } from '../wire/robot-model-names.ts';

/**
 * The humanoid as a tree of links. The root link is `pelvis`, the base frame, 0.62 m above the floor when standing. Arms and legs
 * hang along -z.
 */
export const ROOT_LINK = 'pelvis';
export const BASE_HEIGHT_M = 0.62;
export const ROBOT_HEIGHT_M = 1.25;
/** Radius of the base on the floor: what the planner and the collision body use. */
export const ROBOT_RADIUS_M = 0.2;

export const HIP_OFFSET: Vec3 = [0, 0.09, -0.02];
export const THIGH_M = 0.28;
export const SHANK_M = 0.28;
/** From the sole to the ankle. */
export const ANKLE_HEIGHT_M = 0.06;
export const FOOT_LENGTH_M = 0.2;
export const FOOT_WIDTH_M = 0.09;
export const WAIST_HEIGHT_M = 0.08;
/** Above the waist joint; 0.36 m above the base. */
export const SHOULDER_ABOVE_WAIST_M = 0.28;
export const SHOULDER_HALF_WIDTH_M = 0.17;
export const UPPER_ARM_M = 0.22;
export const FOREARM_M = 0.22;
/** Wrist to the middle of the palm; the hand ends 0.05 m beyond it. */
export const PALM_FROM_WRIST_M = 0.05;
export const HAND_LENGTH_M = 0.1;
/** Neck joint above the waist joint; 0.44 m above the base. */
export const NECK_ABOVE_WAIST_M = 0.36;
/** Head pitch joint above the neck joint. */
export const HEAD_PITCH_ABOVE_NECK_M = 0.05;
/**
 * The pov camera's optical centre in the head link, on the axis of the neck: straight above the base, by 0.53 m, while the head
 * is straight.
 */
export const CAMERA_IN_HEAD: Vec3 = [0, 0, 0.04];

export const HEAD_YAW_RANGE_RAD: readonly [number, number] = [-1.4, 1.4];
export const HEAD_PITCH_RANGE_RAD: readonly [number, number] = [-0.6, 1];

const X: Vec3 = [1, 0, 0];
const MINUS_X: Vec3 = [-1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const MINUS_Y: Vec3 = [0, -1, 0];
const Z: Vec3 = [0, 0, 1];

type Side = 'right' | 'left';

/** Names joints and links of a side in the same way: `right_knee` moves `right_knee_link`. */
const jointsOf =
  (side: Side) =>
  (part: string, parentLink: string, origin: Vec3, axis: Vec3, [minRad, maxRad]: [number, number]): TurningJoint => ({
    name: `${side}_${part}`,
    link: `${side}_${part}_link`,
    parentLink,
    origin,
    axis,
    minRad,
    maxRad,
  });

function leg(side: Side): TurningJoint[] {
  const ySign = side === 'right' ? -1 : 1;
  const joint = jointsOf(side);
  // Outward roll and outward yaw are mirrored between the sides; the ranges are symmetric, so both legs read alike.
  return [
    joint('hip_pitch', ROOT_LINK, [HIP_OFFSET[0], ySign * HIP_OFFSET[1], HIP_OFFSET[2]], Y, [-2.3, 0.9]),
    joint('hip_roll', `${side}_hip_pitch_link`, [0, 0, 0], X, [-0.7, 0.7]),
    joint('hip_yaw', `${side}_hip_roll_link`, [0, 0, 0], Z, [-0.9, 0.9]),
    joint('knee', `${side}_hip_yaw_link`, [0, 0, -THIGH_M], Y, [0, 2.4]),
    joint('ankle_pitch', `${side}_knee_link`, [0, 0, -SHANK_M], Y, [-1.3, 0.9]),
    joint('ankle_roll', `${side}_ankle_pitch_link`, [0, 0, 0], X, [-0.6, 0.6]),
  ];
}

/**
 * Positive pitch and elbow turn the same way on both sides: on the right about +y, mirrored on the left (about -y), as the
 * platform's arm poses do.
 */
function arm(side: Side): TurningJoint[] {
  const isRight = side === 'right';
  const pitchAxis = isRight ? Y : MINUS_Y;
  const range = (minRad: number, maxRad: number): [number, number] => (isRight ? [minRad, maxRad] : [-maxRad, -minRad]);
  const joint = jointsOf(side);
  return [
    joint(
      'shoulder_pitch',
      'torso',
      [0, (isRight ? -1 : 1) * SHOULDER_HALF_WIDTH_M, SHOULDER_ABOVE_WAIST_M],
      pitchAxis,
      range(-2.9, 1.2),
    ),
    joint('shoulder_roll', `${side}_shoulder_pitch_link`, [0, 0, 0], MINUS_X, range(-0.8, 2.4)),
    joint('shoulder_yaw', `${side}_shoulder_roll_link`, [0, 0, 0], Z, [-1.6, 1.6]),
    joint('elbow', `${side}_shoulder_yaw_link`, [0, 0, -UPPER_ARM_M], pitchAxis, range(-2.5, 0.05)),
    joint('wrist_yaw', `${side}_elbow_link`, [0, 0, -FOREARM_M], Z, [-1.7, 1.7]),
  ];
}

/**
 * All joints in policy order: right leg, left leg (6 each), waist, right arm, left arm (5 each) – 23 – then head yaw and head
 * pitch. Positive arm pitch (right) swings the arm back; positive right roll swings it outward; a negative right elbow bends the
 * forearm forward.
 */
export const JOINTS: readonly TurningJoint[] = [
  ...leg('right'),
  ...leg('left'),
  { name: 'waist_yaw', link: 'torso', parentLink: ROOT_LINK, origin: [0, 0, WAIST_HEIGHT_M], axis: Z, minRad: -1.2, maxRad: 1.2 },
  ...arm('right'),
  ...arm('left'),
  {
    name: 'head_yaw',
    link: 'neck',
    parentLink: 'torso',
    origin: [0, 0, NECK_ABOVE_WAIST_M],
    axis: Z,
    minRad: HEAD_YAW_RANGE_RAD[0],
    maxRad: HEAD_YAW_RANGE_RAD[1],
  },
  {
    name: 'head_pitch',
    link: 'head',
    parentLink: 'neck',
    origin: [0, 0, HEAD_PITCH_ABOVE_NECK_M],
    axis: Y,
    minRad: HEAD_PITCH_RANGE_RAD[0],
    maxRad: HEAD_PITCH_RANGE_RAD[1],
  },
];

export const JOINT_COUNT = JOINTS.length;
/** First index of each group in `JOINTS`. */
export const JOINT_INDEX = { rightLeg: 0, leftLeg: 6, waist: 12, rightArm: 13, leftArm: 18, headYaw: 23, headPitch: 24 } as const;

/** The platform's standing pose of the arms, radians: shoulder pitch, roll, yaw, elbow, wrist yaw. */
export const STANDING_RIGHT_ARM_RAD: readonly number[] = [0.35, 0.18, 0, -0.87, 0];
export const STANDING_LEFT_ARM_RAD: readonly number[] = [-0.35, -0.18, 0, 0.87, 0];

export const HUMANOID: RobotModel = {
  id: 'humanoid',
  name: ROBOT_MODEL_NAMES.humanoid,
  heightM: ROBOT_HEIGHT_M,
  baseHeightM: BASE_HEIGHT_M,
  radiusM: ROBOT_RADIUS_M,
  standingSizeM: [0.36, 0.56],
  rootLink: ROOT_LINK,
  joints: JOINTS,
  head: { yawRangeRad: HEAD_YAW_RANGE_RAD, pitchRangeRad: HEAD_PITCH_RANGE_RAD },
  hasPosedArms: true,
  camera: {
    mount: 'head',
    position: CAMERA_IN_HEAD,
    title: 'Head',
    description: 'In the head; moves with it.',
    note: 'Optical centre in the head link: with the head straight, 0.53 m straight above the base. Every capture gives the pose it was taken from.',
  },
  words: { palm: 'palm', hands: 'hands', arms: 'arms', grip: 'both hands', go: 'walk', going: 'walking', feet: 'legs' },
};
