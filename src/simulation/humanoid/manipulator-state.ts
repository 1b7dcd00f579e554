import { JOINT_INDEX } from '../../protocol/robots/humanoid.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import { type Channel, type Follower, restingAt } from '../motion.ts';
import { type Posture, UPRIGHT } from './posture.ts';

export const ARM_JOINT_COUNT = 10;
export const FIRST_ARM_JOINT = JOINT_INDEX.rightArm;

export interface ManipulatorState {
  /** The source that the arms follow: their swing while walking and standing, the grip, or the torques in their joints (joint-arms.ts). */
  source: 'swing' | 'grip' | 'joints';
  /** The frame of the grip's numbers: the world while reaching, the base while carrying. */
  frame: 'world' | 'base';
  /** Base pose when the world grip was set; a base that leaves it takes the grip along. */
  anchor: PlanarPose;
  grip: { x: Channel; y: Channel; z: Channel; yaw: Channel; opening: Channel };
  posture: { height: Channel; lean: Channel; shiftX: Channel; shiftY: Channel; waist: Channel };
  /** How the posture bends off the straight way to its goal: most half way (`way` 0.5), not at all at the ends. */
  bend: { height: number; lean: number; shiftX: number };
  way: Channel;
  /** 0 = the joints as they were when the source changed (`latch`), 1 = the source alone. */
  blend: Channel;
  latchRad: Float64Array;
  latchVelocity: Float64Array;
  latchAgeS: number;
  /** Arm joints of the grip that the arms were last sent to from another source: they lead for most of the way there. */
  goalRad: Float64Array;
  /** Arm joints, right then left: where they were after the last step, and how fast they moved in it. */
  armsRad: Float64Array;
  armsVelocity: Float64Array;
  /** How far each arm is folded to keep out of what stands fixed: right, left. The angles above are those without it. */
  giveWay: [Follower, Follower];
}

/** Returns upright arms at rest. @param base the pose of the base, world frame @param armsRad the angles of both arms, radians */
export function createManipulator(base: PlanarPose, armsRad: Float64Array): ManipulatorState {
  const posture = (key: keyof Posture): Channel => restingAt(UPRIGHT[key]);
  return {
    source: 'swing',
    frame: 'base',
    anchor: { ...base },
    grip: { x: restingAt(0), y: restingAt(0), z: restingAt(0), yaw: restingAt(0), opening: restingAt(0.3) },
    posture: {
      height: posture('heightM'),
      lean: posture('leanRad'),
      shiftX: posture('shiftXM'),
      shiftY: posture('shiftYM'),
      waist: posture('waistRad'),
    },
    bend: { height: 0, lean: 0, shiftX: 0 },
    way: restingAt(1),
    blend: restingAt(1),
    latchRad: armsRad.slice(),
    latchVelocity: new Float64Array(ARM_JOINT_COUNT),
    latchAgeS: 0,
    goalRad: armsRad.slice(),
    armsRad: armsRad.slice(),
    armsVelocity: new Float64Array(ARM_JOINT_COUNT),
    giveWay: [
      { value: 0, velocity: 0 },
      { value: 0, velocity: 0 },
    ],
  };
}

/** Every channel, always in the same order. */
export const channelsOf = ({ grip, posture, way, blend }: ManipulatorState): Channel[] => [
  grip.x,
  grip.y,
  grip.z,
  grip.yaw,
  grip.opening,
  posture.height,
  posture.lean,
  posture.shiftX,
  posture.shiftY,
  posture.waist,
  way,
  blend,
];
