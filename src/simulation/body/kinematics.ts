import type { Vec3 } from '../../protocol/geometry.ts';
import type { RigidPose } from '../../protocol/render-state.ts';
import { CAMERA_IN_HEAD, JOINT_COUNT, JOINT_INDEX, JOINTS, PALM_FROM_WRIST_M, ROOT_LINK } from '../../protocol/robot-model.ts';
import { FRAME_SIZE, framePoint, frameQuat, rotateOwnAxis } from './rotation.ts';

/** Frames of every link in the world: the pelvis first, then the link of each joint in the order of `JOINTS`. */
export const FRAMES_LENGTH = (JOINT_COUNT + 1) * FRAME_SIZE;

export const LINK_NAMES: readonly string[] = [ROOT_LINK, ...JOINTS.map((joint) => joint.link)];

const frameOffsets = new Map(LINK_NAMES.map((link, i) => [link, i * FRAME_SIZE]));

/** Where a link's frame begins in the array of frames. */
export function frameOffset(link: string): number {
  const offset = frameOffsets.get(link);
  if (offset === undefined) throw new Error(`The robot has no link '${link}'.`);
  return offset;
}

interface CompiledJoint {
  parent: number;
  origin: Vec3;
  axis: 0 | 1 | 2;
  sign: number;
}

/** Every axis of the robot lies along x, y or z of its parent: a turn then mixes two columns, which is what makes the loop cheap. */
const compiled: readonly CompiledJoint[] = JOINTS.map((joint) => {
  const axis = joint.axis.findIndex((component) => component !== 0);
  const sign = joint.axis[axis];
  if ((axis !== 0 && axis !== 1 && axis !== 2) || (sign !== 1 && sign !== -1))
    throw new Error(`Joint '${joint.name}' does not turn about x, y or z.`);
  return { parent: frameOffset(joint.parentLink), origin: joint.origin, axis, sign };
});

/**
 * Forward kinematics of some joints in a row: fills the frames of their links from the frames of their parents.
 * @param frames world frames; the parents of the first joint's link must be up to date (the pelvis is frame 0)
 * @param jointsRad angles in the order of `JOINTS`
 */
export function updateFrames(frames: Float64Array, jointsRad: Float64Array, from = 0, to = JOINT_COUNT): void {
  for (let i = from; i < to; i += 1) {
    const joint = compiled[i] as CompiledJoint;
    const o = (i + 1) * FRAME_SIZE;
    const p = joint.parent;
    const [x, y, z] = joint.origin;
    for (let row = 0; row < 3; row += 1) {
      const r = p + 3 * row;
      const a = frames[r] as number;
      const b = frames[r + 1] as number;
      const c = frames[r + 2] as number;
      frames[o + 3 * row] = a;
      frames[o + 3 * row + 1] = b;
      frames[o + 3 * row + 2] = c;
      frames[o + 9 + row] = a * x + b * y + c * z + (frames[p + 9 + row] as number);
    }
    rotateOwnAxis(frames, o, joint.axis, joint.sign * (jointsRad[i] as number));
  }
}

/** The frame at `o` as a pose; allocates it. */
export function framePose(frames: Float64Array, o: number): RigidPose {
  return {
    position: [frames[o + 9] as number, frames[o + 10] as number, frames[o + 11] as number],
    orientation: frameQuat(frames, o),
  };
}

export const FRAME = {
  pelvis: 0,
  torso: (JOINT_INDEX.waist + 1) * FRAME_SIZE,
  neck: frameOffset('neck'),
  head: frameOffset('head'),
  rightHand: frameOffset('right_wrist_yaw_link'),
  leftHand: frameOffset('left_wrist_yaw_link'),
  rightElbow: frameOffset('right_elbow_link'),
  leftElbow: frameOffset('left_elbow_link'),
} as const;

const PALM_IN_HAND: Vec3 = [0, 0, -PALM_FROM_WRIST_M];

/** Pose of a palm's centre, turned as its hand is; allocates it. */
export function palmPose(frames: Float64Array, side: 'right' | 'left'): RigidPose {
  const o = side === 'right' ? FRAME.rightHand : FRAME.leftHand;
  return { position: framePoint(frames, o, PALM_IN_HAND), orientation: frameQuat(frames, o) };
}

const _povPose_optical = new Float64Array(FRAME_SIZE);

/** Optical frame of the head's camera (x right, y down, z forward); allocates it. */
export function povPose(frames: Float64Array): RigidPose {
  const optical = _povPose_optical;
  const o = FRAME.head;
  for (let row = 0; row < 3; row += 1) {
    optical[3 * row] = -(frames[o + 3 * row + 1] as number);
    optical[3 * row + 1] = -(frames[o + 3 * row + 2] as number);
    optical[3 * row + 2] = frames[o + 3 * row] as number;
  }
  return { position: framePoint(frames, o, CAMERA_IN_HEAD), orientation: frameQuat(optical, 0) };
}
