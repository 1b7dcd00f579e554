import { cos, hypot, sin } from '../../common/portable-math.ts';
import {
  CAMERA_IN_TILT,
  DECK_HEIGHT_M,
  PICKER_JOINT as J,
  MAST_X_M,
  PAN_ABOVE_DECK_M,
  PICKER_JOINTS,
  TILT_ABOVE_PAN_M,
} from '../../protocol/robots/picker.ts';
import { type PlanarPose, type Vec3, yawToQuat } from '../../protocol/wire/geometry.ts';
import { createHead } from '../head.ts';
import { advance, restingAt } from '../motion.ts';
import type { BodyInput } from '../robot.ts';
import { FRAME_SIZE, opticalPose, setYawPitchFrame } from '../rotation.ts';
import { type BaseGrip, fingerAt, gripOf, solveArm } from './arm.ts';
import { baseGripOf, toBaseFrame } from './frames.ts';
import { gripGivingWay } from './give-way.ts';
import { stepHead } from './head.ts';
import type { PickerBody } from './state.ts';

/** The stowed gripper, base frame: drawn in above the deck, its fingers nearly closed. */
export const STOWED: BaseGrip = { x: 0.18, y: 0, z: 0.95, yawRad: 0, openingM: 0.05 };
/** A base that is farther from where a reach began takes the gripper along. One radian counts as one metre. */
const LEAVES_M = 0.03;

const _pov_frame = new Float64Array(FRAME_SIZE);

/** Creates a body at a base pose, its arm stowed. */
export function createBody(base: PlanarPose): PickerBody {
  const at = { ...base };
  const jointPositions = new Float64Array(PICKER_JOINTS.length);
  const palm = (side: 'right' | 'left') => {
    const grip = worldGrip(at, gripOf(jointPositions));
    return { position: fingerAt(grip, side), orientation: yawToQuat(grip.yawRad) };
  };
  const body: PickerBody = {
    get rootPose() {
      return { position: [at.x, at.y, DECK_HEIGHT_M] as Vec3, orientation: yawToQuat(at.yawRad) };
    },
    jointPositions,
    get palms() {
      return { right: palm('right'), left: palm('left') };
    },
    palmCentres: { right: { x: 0, y: 0, z: 0 }, left: { x: 0, y: 0, z: 0 } },
    get povCamera() {
      const [c, s] = [cos(at.yawRad), sin(at.yawRad)];
      const yawRad = at.yawRad + (jointPositions[J.cameraPan] as number);
      const z = DECK_HEIGHT_M + PAN_ABOVE_DECK_M + TILT_ABOVE_PAN_M;
      const pitchRad = jointPositions[J.cameraTilt] as number;
      setYawPitchFrame(_pov_frame, 0, yawRad, pitchRad, at.x + c * MAST_X_M, at.y + s * MAST_X_M, z);
      return opticalPose(_pov_frame, 0, CAMERA_IN_TILT);
    },
    head: createHead(),
    base: at,
    frame: 'base',
    anchor: { ...base },
    grip: {
      x: restingAt(STOWED.x),
      y: restingAt(STOWED.y),
      z: restingAt(STOWED.z),
      yaw: restingAt(STOWED.yawRad),
      opening: restingAt(STOWED.openingM),
    },
    giveWay: { value: 0, velocity: 0 },
  };
  pose(body, null);
  return body;
}

/** Converts a grip from the base frame to the world. */
export function worldGrip(base: PlanarPose, grip: BaseGrip): BaseGrip {
  const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
  const { x, y, yawRad } = grip;
  return { ...grip, x: base.x + c * x - s * y, y: base.y + s * x + c * y, yawRad: base.yawRad + yawRad };
}

/** Moves the body on by one step; the base has already moved. */
export function stepBody(body: PickerBody, input: BodyInput): void {
  const { base: at, dtS } = input;
  const { base, anchor } = body;
  base.x = at.x;
  base.y = at.y;
  base.yawRad = at.yawRad;
  const awayM = Math.max(hypot(base.x - anchor.x, base.y - anchor.y), Math.abs(sin((base.yawRad - anchor.yawRad) / 2)) * 2);
  if (body.frame === 'world' && awayM > LEAVES_M) toBaseFrame(body, base);
  for (const channel of Object.values(body.grip)) advance(channel, dtS);
  stepHead(body, dtS);
  pose(body, input);
}

/** Sets the joints after the grip, and the fingers' places after the joints: a grip out of range is followed as far as they go. */
function pose(body: PickerBody, input: BodyInput | null): void {
  solveArm(body.jointPositions, input === null ? baseGripOf(body) : gripGivingWay(body, STOWED, input));
  placeFingers(body);
}

/** Writes the fingers' places, from the base and the joints. */
export function placeFingers({ base, jointPositions, palmCentres }: PickerBody): void {
  const grip = worldGrip(base, gripOf(jointPositions));
  for (const side of ['right', 'left'] as const) {
    const [x, y, z] = fingerAt(grip, side);
    const centre = palmCentres[side];
    centre.x = x;
    centre.y = y;
    centre.z = z;
  }
}
