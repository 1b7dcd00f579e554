import { cos, sin } from '../../common/portable-math.ts';
import {
  CAMERA_IN_HEAD,
  JOINT_COUNT,
  JOINT_INDEX,
  JOINTS,
  PALM_FROM_WRIST_M,
  ROOT_LINK,
} from '../../protocol/robots/humanoid.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import type { RigidPose } from '../../protocol/wire/render-state.ts';
import type { PalmCentre, RobotBody } from '../robot.ts';
import { FRAME_SIZE, framePoint, frameQuat, opticalPose } from '../rotation.ts';

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
  originX: number;
  originY: number;
  originZ: number;
  /** The two columns of the rotation that a turn about the joint's axis mixes. */
  column: number;
  nextColumn: number;
  sign: number;
  /** The last angle asked for, and its cosine and sine: many joints stand still for a long time. */
  rad: number;
  cos: number;
  sin: number;
}

/** Every axis of the robot lies along x, y or z of its parent: a turn then mixes two columns, which makes the loop cheap. */
const compiled: readonly CompiledJoint[] = JOINTS.map((joint) => {
  const axis = joint.axis.findIndex((component) => component !== 0);
  const sign = joint.axis[axis];
  if ((axis !== 0 && axis !== 1 && axis !== 2) || (sign !== 1 && sign !== -1))
    throw new Error(`Joint '${joint.name}' does not turn about x, y or z.`);
  const [originX, originY, originZ] = joint.origin;
  return {
    parent: frameOffset(joint.parentLink),
    originX,
    originY,
    originZ,
    column: (axis + 1) % 3,
    nextColumn: (axis + 2) % 3,
    sign,
    rad: 0,
    cos: 1,
    sin: 0,
  };
});

/**
 * Forward kinematics of some joints in a row: fills the frames of their links from the frames of their parents.
 * @param frames world frames; the parents of the first joint's link must be up to date (the pelvis is frame 0)
 * @param jointPositions angles in the order of `JOINTS`
 */
export function updateFrames(frames: Float64Array, jointPositions: Float64Array, from = 0, to = JOINT_COUNT): void {
  for (let i = from; i < to; i += 1) {
    const joint = compiled[i] as CompiledJoint;
    // No negative zero: the remembered value must not depend on the earlier callers.
    const rad = joint.sign * (jointPositions[i] as number) + 0;
    if (rad !== joint.rad) {
      joint.rad = rad;
      joint.cos = cos(rad);
      joint.sin = sin(rad);
    }
    const o = (i + 1) * FRAME_SIZE;
    const p = joint.parent;
    const { originX, originY, originZ, column, nextColumn, cos: c, sin: s } = joint;
    for (let row = 0; row < 3; row += 1) {
      const from = p + 3 * row;
      const to = o + 3 * row;
      const first = frames[from] as number;
      const second = frames[from + 1] as number;
      const third = frames[from + 2] as number;
      frames[to] = first;
      frames[to + 1] = second;
      frames[to + 2] = third;
      frames[o + 9 + row] = first * originX + second * originY + third * originZ + (frames[p + 9 + row] as number);
      // A turn about one's own axis mixes the other two columns.
      const a = frames[from + column] as number;
      const b = frames[from + nextColumn] as number;
      frames[to + column] = a * c + b * s;
      frames[to + nextColumn] = b * c - a * s;
    }
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

/** Writes the centres of both palms, from the frames of the hands. */
export function placePalmCentres({ right, left }: RobotBody['palmCentres'], frames: Float64Array): void {
  placePalmCentre(right, frames, FRAME.rightHand);
  placePalmCentre(left, frames, FRAME.leftHand);
}

function placePalmCentre(out: PalmCentre, frames: Float64Array, hand: number): void {
  out.x = (frames[hand + 9] as number) - PALM_FROM_WRIST_M * (frames[hand + 2] as number);
  out.y = (frames[hand + 10] as number) - PALM_FROM_WRIST_M * (frames[hand + 5] as number);
  out.z = (frames[hand + 11] as number) - PALM_FROM_WRIST_M * (frames[hand + 8] as number);
}

/** Optical frame of the head's camera (x right, y down, z forward); allocates it. */
export const povPose = (frames: Float64Array): RigidPose => opticalPose(frames, FRAME.head, CAMERA_IN_HEAD);
