import { asin, atan2, hypot } from '../../common/portable-math.ts';
import {
  CAMERA_IN_HEAD,
  HEAD_PITCH_ABOVE_NECK_M,
  HEAD_PITCH_RANGE_RAD,
  HEAD_YAW_RANGE_RAD,
  JOINT_INDEX,
  NECK_ABOVE_WAIST_M,
} from '../../protocol/robots/humanoid.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { headOf } from '../head.ts';
import type { HeadAngles } from '../robot.ts';
import { intoFrame } from '../rotation.ts';
import { FRAME } from './kinematics.ts';
import type { BodyState } from './state.ts';

/** Returns where the hands work; null while they swing or carry. */
function workPoint({ manipulator: { source, frame, grip } }: BodyState): Vec3 | null {
  return source === 'grip' && frame === 'world' ? [grip.x.value, grip.y.value, grip.z.value] : null;
}

/** Aims with the torso as it is now. */
function aim(body: BodyState, pointWorld: Vec3): HeadAngles {
  const [x, y, z] = intoFrame(body.frames, FRAME.torso, pointWorld);
  const forwardM = hypot(x, y);
  const aboveM = z - NECK_ABOVE_WAIST_M - HEAD_PITCH_ABOVE_NECK_M;
  // In the head frame the point must be as high as the camera: R sin(pitch + elevation) = height.
  const rangeM = Math.max(hypot(forwardM, aboveM), CAMERA_IN_HEAD[2]);
  return { yawRad: atan2(y, x), pitchRad: asin(CAMERA_IN_HEAD[2] / rangeM) - atan2(aboveM, forwardM) };
}

/** The humanoid's head, on its neck. */
export const {
  setTarget,
  halt,
  speedRps,
  isHeld,
  releaseTarget,
  target,
  measured,
  setGaze,
  anglesToward,
  step: stepHead,
} = headOf<BodyState>({
  yawRangeRad: HEAD_YAW_RANGE_RAD,
  pitchRangeRad: HEAD_PITCH_RANGE_RAD,
  yawJoint: JOINT_INDEX.headYaw,
  pitchJoint: JOINT_INDEX.headPitch,
  aim,
  workPoint,
});
