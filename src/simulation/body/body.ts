import type { PlanarPose } from '../../protocol/geometry.ts';
import type { RigidPose } from '../../protocol/render-state.ts';
import {
  BASE_HEIGHT_M,
  HIP_OFFSET,
  JOINT_COUNT,
  JOINT_INDEX,
  STANDING_LEFT_ARM_RAD,
  STANDING_RIGHT_ARM_RAD,
} from '../../protocol/robot-model.ts';
import { FRAMES_LENGTH, framePose, LINK_NAMES, palmPose, povPose, updateFrames } from './kinematics.ts';
import { legIndex, solveLeg } from './leg-ik.ts';
import { FRAME_SIZE, framePoint, setYawPitchFrame } from './rotation.ts';
import { neutralFoot, sideSign } from './stance.ts';
import type { BodyInput, BodyState } from './state.ts';

export type { BodyInput, BodyState } from './state.ts';

/** A body standing at a base pose, the weight between its feet. */
export function createBody(base: PlanarPose): BodyState {
  const frames = new Float64Array(FRAMES_LENGTH);
  const jointsRad = new Float64Array(JOINT_COUNT);
  jointsRad.set(STANDING_RIGHT_ARM_RAD, JOINT_INDEX.rightArm);
  jointsRad.set(STANDING_LEFT_ARM_RAD, JOINT_INDEX.leftArm);
  const body: BodyState = {
    pelvis: framePose(frames, 0),
    jointsRad,
    palms: { right: palmPose(frames, 'right'), left: palmPose(frames, 'left') },
    povCamera: povPose(frames),
    frames,
    base: { ...base },
    gait: { feet: [neutralFoot(base, 0), neutralFoot(base, 1)] },
  };
  pose(body);
  return body;
}

/** Moves the body on by one step; the base has already moved. */
export function stepBody(body: BodyState, input: BodyInput): void {
  body.base = { ...input.base };
  body.gait.feet = [neutralFoot(body.base, 0), neutralFoot(body.base, 1)];
  pose(body);
}

const _pose_foot = new Float64Array(FRAME_SIZE);
const _pose_hip = new Float64Array(3);

/** From pelvis, feet and joint angles to everything that others read. */
function pose(body: BodyState): void {
  const { frames, jointsRad, base } = body;
  setYawPitchFrame(frames, 0, base.yawRad, 0, base.x, base.y, BASE_HEIGHT_M);
  for (const side of [0, 1] as const) {
    const foot = body.gait.feet[side];
    setYawPitchFrame(_pose_foot, 0, foot.yawRad, foot.pitchRad, foot.xM, foot.yM, foot.zM);
    _pose_hip.set(framePoint(frames, 0, [HIP_OFFSET[0], sideSign(side) * HIP_OFFSET[1], HIP_OFFSET[2]]));
    solveLeg(jointsRad, legIndex(side), frames, _pose_hip, _pose_foot, 0);
  }
  updateFrames(frames, jointsRad);
  body.pelvis = framePose(frames, 0);
  body.palms = { right: palmPose(frames, 'right'), left: palmPose(frames, 'left') };
  body.povCamera = povPose(frames);
}

/** Every link's frame in the world, by link name. */
export function linkPoses(body: BodyState): ReadonlyMap<string, RigidPose> {
  return new Map(LINK_NAMES.map((link, i) => [link, framePose(body.frames, i * FRAME_SIZE)]));
}

/** Every number of the body's state, always in the same order: what the state hash takes in. */
export function serialise(body: BodyState): readonly number[] {
  const { feet } = body.gait;
  return [
    body.base.x,
    body.base.y,
    body.base.yawRad,
    ...body.jointsRad,
    ...body.frames.subarray(0, FRAME_SIZE),
    ...feet.flatMap((foot) => [foot.xM, foot.yM, foot.zM, foot.yawRad, foot.pitchRad, foot.planted ? 1 : 0]),
  ];
}
