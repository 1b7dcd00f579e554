import { hypot } from '../../common/portable-math.ts';
import { JOINT_COUNT, JOINT_INDEX } from '../../protocol/robots/humanoid.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import type { RigidPose } from '../../protocol/wire/render-state.ts';
import type { Obstacle } from '../../protocol/wire/scene.ts';
import { createHead } from '../head.ts';
import { collectNumbers } from '../plain.ts';
import type { BodyInput } from '../robot.ts';
import { FRAME_SIZE, setYawPitchFrame } from '../rotation.ts';
import { armsGiveWay } from './arms-room.ts';
import { placePelvis, stepCarriage, swingArms, TURNING_M } from './carriage.ts';
import { stepGait } from './gait.ts';
import { createGait } from './gait-state.ts';
import { stepHead } from './head.ts';
import { stepJointArms } from './joint-arms-step.ts';
import { FRAMES_LENGTH, framePose, LINK_NAMES, palmPose, placePalmCentres, povPose, updateFrames } from './kinematics.ts';
import { legIndex, solveLeg } from './leg-ik.ts';
import { carry, isTooLowToWalk } from './manipulator.ts';
import { ARM_JOINT_COUNT, createManipulator } from './manipulator-state.ts';
import { poseArms, stepManipulator } from './manipulator-step.ts';
import { hipPoint } from './stance.ts';
import type { BodyState } from './state.ts';
import { stepTuck, tuckAt } from './tuck.ts';

export type { BodyInput } from '../robot.ts';
export type { BodyState } from './state.ts';

/** Place of the pelvis' height among the numbers of the frames. */
const PELVIS_HEIGHT = 11;
/** A base that is driven faster than this makes the robot rise from a reach that is too low to walk. */
const RISES_FROM_MPS = 0.06;

/** Creates a body that stands at a base pose, the weight between its feet, its arms drawn in beside furniture. */
export function createBody(base: PlanarPose, obstacles: readonly Obstacle[] = []): BodyState {
  const frames = new Float64Array(FRAMES_LENGTH);
  const jointPositions = new Float64Array(JOINT_COUNT);
  const gait = createGait(base);
  gait.tuck.value = tuckAt(obstacles, base);
  const armsRad = new Float64Array(ARM_JOINT_COUNT);
  swingArms(armsRad, gait, 1);
  const body: BodyState = {
    get rootPose() {
      return framePose(frames, 0);
    },
    jointPositions,
    get palms() {
      return { right: palmPose(frames, 'right'), left: palmPose(frames, 'left') };
    },
    palmCentres: { right: { x: 0, y: 0, z: 0 }, left: { x: 0, y: 0, z: 0 } },
    get povCamera() {
      updateFrames(frames, jointPositions, JOINT_INDEX.headYaw);
      return povPose(frames);
    },
    frames,
    base: { ...base },
    gait,
    manipulator: createManipulator(base, armsRad),
    head: createHead(),
    jointArms: null,
  };
  pose(body, null);
  return body;
}

/** Moves the body on by one step; the base has already moved. */
export function stepBody(body: BodyState, input: BodyInput): void {
  const { base } = body;
  base.x = input.base.x;
  base.y = input.base.y;
  base.yawRad = input.base.yawRad;
  // Feet first: their places bound the pelvis, the pelvis carries the trunk, and the arms make up for the trunk's motion.
  stepTuck(body.gait.tuck, input, body.frames[PELVIS_HEIGHT] as number);
  stepGait(body.gait, input);
  stepCarriage(body.gait, base, body.manipulator, input.dtS);
  // Driven off in the middle of a reach: the robot rises first, with the held thing before the chest.
  const { vx, vy, wz } = input.velocityBody;
  if (hypot(vx, vy) + TURNING_M * Math.abs(wz) > RISES_FROM_MPS && isTooLowToWalk(body)) carry(body);
  stepManipulator(body, input.dtS);
  pose(body, input);
}

const _pose_foot = new Float64Array(FRAME_SIZE);
const _pose_hip = new Float64Array(3);
const _pose_swing = new Float64Array(ARM_JOINT_COUNT);

/** Computes from feet, posture, grip and gaze all joint angles and all values that others read. */
function pose(body: BodyState, input: BodyInput | null): void {
  const dtS = input?.dtS ?? 0;
  const { frames, jointPositions, base, gait, manipulator } = body;
  placePelvis(frames, base, gait, manipulator);
  for (const side of [0, 1] as const) {
    const foot = gait.feet[side];
    const [x, y] = [foot.x.value + foot.asideX, foot.y.value + foot.asideY];
    setYawPitchFrame(_pose_foot, 0, foot.yaw.value, foot.pitchRad, x, y, foot.zM);
    hipPoint(_pose_hip, frames, side);
    solveLeg(jointPositions, legIndex(side), frames, _pose_hip, _pose_foot, 0);
  }
  // The waist takes the pelvis' twist back, so that trunk and head look where the base does.
  jointPositions[JOINT_INDEX.waist] = manipulator.posture.waist.value - gait.twist.value;
  updateFrames(frames, jointPositions, JOINT_INDEX.waist, JOINT_INDEX.waist + 1);
  if (manipulator.source === 'joints' && body.jointArms) stepJointArms(body, body.jointArms, dtS);
  else {
    swingArms(_pose_swing, gait, manipulator.source === 'swing' ? manipulator.blend.value : 0);
    poseArms(body, _pose_swing, dtS);
    if (input !== null) armsGiveWay(body, input);
  }
  stepHead(body, dtS);
  updateFrames(frames, jointPositions, JOINT_INDEX.rightArm, JOINT_INDEX.headYaw);
  placePalmCentres(body.palmCentres, frames);
}

/** Returns every link's frame in the world, by link name. */
export function linkPoses(body: BodyState): ReadonlyMap<string, RigidPose> {
  updateFrames(body.frames, body.jointPositions);
  return new Map(LINK_NAMES.map((link, i) => [link, framePose(body.frames, i * FRAME_SIZE)]));
}

/** Returns every number of the body's state, always in the same order, for the state hash. */
export function serialise(body: BodyState): readonly number[] {
  const out: number[] = [];
  collectNumbers(
    [body.base, body.jointPositions, body.frames.subarray(0, FRAME_SIZE), body.gait, body.manipulator, body.head],
    out,
  );
  // Parts that a body has never used are left out, so that bodies from before those parts existed keep their hashes.
  if (body.jointArms !== null) collectNumbers(body.jointArms, out);
  return out;
}
