import type { Vec3 } from '../wire/geometry.ts';
import type { JointSpec, RobotModel } from '../wire/robot.ts';
import { ROBOT_MODEL_NAMES } from '../wire/robot-model-names.ts';

/**
 * The picker: a round base on wheels that roll in every direction, a mast, a carriage that moves up and down it, a boom that
 * turns and extends in two stages, and a gripper that hangs from the boom's end. Its camera pans and tilts on top of the mast.
 * The root link is `base`, at the height of the deck. With all joints at 0 the boom points ahead, retracted, at its lowest.
 */
export const DECK_HEIGHT_M = 0.25;
const PICKER_HEIGHT_M = 1.61;
export const PICKER_RADIUS_M = 0.2;
/** The axis of the mast, on which carriage, boom and camera turn: behind the middle of the base. */
export const MAST_X_M = -0.08;
/** The height of the boom above the deck at its lowest, and the travel of the carriage. */
export const BOOM_LOWEST_M = 0.05;
export const LIFT_M = 1.15;
/** From the mast's axis to the wrist with the boom retracted, and the travel of each of its two stages. */
export const BOOM_IN_M = 0.26;
export const STAGE_M = 0.23;
/**
 * From the boom down to the middle of the fingers: more than a cube and a half, so that the boom passes over neighbouring things.
 */
export const HAND_DROP_M = 0.26;
export const FINGER_WAY_M = 0.135;
/** Half the thickness of a finger. */
export const FINGER_HALF_M = 0.01;
/** The camera's two joints above the deck, and its optical centre ahead of them, on its own axis. */
export const PAN_ABOVE_DECK_M = 1.27;
export const TILT_ABOVE_PAN_M = 0.05;
export const CAMERA_IN_TILT: Vec3 = [0.05, 0, 0];

const X: Vec3 = [1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const Z: Vec3 = [0, 0, 1];

/** The index of each joint in `PICKER_JOINTS`. */
export const PICKER_JOINT = {
  lift: 0,
  boomYaw: 1,
  innerStage: 2,
  outerStage: 3,
  wristYaw: 4,
  rightFinger: 5,
  leftFinger: 6,
  cameraPan: 7,
  cameraTilt: 8,
} as const;

export const PICKER_JOINTS = [
  { name: 'lift', link: 'carriage', parentLink: 'base', origin: [MAST_X_M, 0, BOOM_LOWEST_M], axis: Z, minM: 0, maxM: LIFT_M },
  { name: 'boom_yaw', link: 'boom', parentLink: 'carriage', origin: [0, 0, 0], axis: Z, minRad: -1.7, maxRad: 1.7 },
  { name: 'inner_stage', link: 'inner_stage', parentLink: 'boom', origin: [0, 0, 0], axis: X, minM: 0, maxM: STAGE_M },
  { name: 'outer_stage', link: 'outer_stage', parentLink: 'inner_stage', origin: [0, 0, 0], axis: X, minM: 0, maxM: STAGE_M },
  { name: 'wrist_yaw', link: 'hand', parentLink: 'outer_stage', origin: [BOOM_IN_M, 0, 0], axis: Z, minRad: -1.7, maxRad: 1.7 },
  {
    name: 'right_finger',
    link: 'right_finger',
    parentLink: 'hand',
    origin: [0, -FINGER_HALF_M, -HAND_DROP_M],
    axis: [0, -1, 0],
    minM: 0,
    maxM: FINGER_WAY_M,
  },
  {
    name: 'left_finger',
    link: 'left_finger',
    parentLink: 'hand',
    origin: [0, FINGER_HALF_M, -HAND_DROP_M],
    axis: Y,
    minM: 0,
    maxM: FINGER_WAY_M,
  },
  {
    name: 'camera_pan',
    link: 'pan',
    parentLink: 'base',
    origin: [MAST_X_M, 0, PAN_ABOVE_DECK_M],
    axis: Z,
    minRad: -1.4,
    maxRad: 1.4,
  },
  { name: 'camera_tilt', link: 'head', parentLink: 'pan', origin: [0, 0, TILT_ABOVE_PAN_M], axis: Y, minRad: -0.6, maxRad: 1 },
] as const satisfies readonly JointSpec[];

export const PICKER: RobotModel = {
  id: 'picker',
  name: ROBOT_MODEL_NAMES.picker,
  heightM: PICKER_HEIGHT_M,
  baseHeightM: DECK_HEIGHT_M,
  radiusM: PICKER_RADIUS_M,
  standingSizeM: [0.42, 0.42],
  rootLink: 'base',
  joints: PICKER_JOINTS,
  head: { yawRangeRad: [-1.4, 1.4], pitchRangeRad: [-0.6, 1] },
  hasPosedArms: false,
  camera: {
    mount: 'head',
    position: CAMERA_IN_TILT,
    title: 'Mast',
    description: 'On top of the mast; pans and tilts.',
    note: 'Optical centre in the head link, which carries the camera, 1.57 m above the floor while it looks level. Every capture gives the pose it was taken from.',
  },
  words: { palm: 'finger', hands: 'fingers', arms: 'arm', grip: 'the gripper', go: 'drive', going: 'driving', feet: 'wheels' },
};
