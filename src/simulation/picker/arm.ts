import { clamp } from '../../common/clamp.ts';
import { atan2, cos, hypot, sin } from '../../common/portable-math.ts';
import {
  BOOM_IN_M,
  BOOM_LOWEST_M,
  DECK_HEIGHT_M,
  FINGER_HALF_M,
  FINGER_WAY_M,
  HAND_DROP_M,
  PICKER_JOINT as J,
  LIFT_M,
  MAST_X_M,
  PICKER_JOINTS,
  STAGE_M,
} from '../../protocol/robots/picker.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';

/** A grip in the base frame, heights above the floor: what lift, boom and wrist are solved for. */
export interface BaseGrip {
  x: number;
  y: number;
  z: number;
  yawRad: number;
  openingM: number;
}

const BOOM = PICKER_JOINTS[J.boomYaw];
const WRIST = PICKER_JOINTS[J.wristYaw];

/** Height of the fingers' middle above the floor with the carriage at its lowest. */
const LOWEST_M = DECK_HEIGHT_M + BOOM_LOWEST_M - HAND_DROP_M;

/**
 * Writes the joints that bring the gripper to a grip, each within its range.
 * @returns how far the grip then misses: metres, one radian counting as one metre
 */
export function solveArm(joints: Float64Array, { x, y, z, yawRad, openingM }: BaseGrip): number {
  const ahead = x - MAST_X_M;
  const lift = clamp(z - LOWEST_M, 0, LIFT_M);
  const boomYaw = clamp(atan2(y, ahead), BOOM.minRad, BOOM.maxRad);
  const out = clamp(hypot(ahead, y) - BOOM_IN_M, 0, 2 * STAGE_M);
  const wristYaw = clamp(yawRad - boomYaw, WRIST.minRad, WRIST.maxRad);
  const finger = clamp(openingM / 2, 0, FINGER_WAY_M);
  joints[J.lift] = lift;
  joints[J.boomYaw] = boomYaw;
  joints[J.innerStage] = out / 2;
  joints[J.outerStage] = out / 2;
  joints[J.wristYaw] = wristYaw;
  joints[J.rightFinger] = finger;
  joints[J.leftFinger] = finger;
  const at = gripOf(joints);
  return Math.max(hypot(at.x - x, at.y - y, at.z - z), Math.abs(at.yawRad - yawRad), Math.abs(at.openingM - openingM));
}

/** Returns the grip that the joints make, base frame. */
export function gripOf(joints: Float64Array): BaseGrip {
  const at = (joint: number): number => joints[joint] as number;
  const reach = BOOM_IN_M + at(J.innerStage) + at(J.outerStage);
  return {
    x: MAST_X_M + reach * cos(at(J.boomYaw)),
    y: reach * sin(at(J.boomYaw)),
    z: LOWEST_M + at(J.lift),
    yawRad: at(J.boomYaw) + at(J.wristYaw),
    openingM: at(J.rightFinger) + at(J.leftFinger),
  };
}

/** Returns the middle of a finger for a grip: world or base frame, as the grip is. */
export function fingerAt({ x, y, z, yawRad, openingM }: BaseGrip, side: 'right' | 'left'): Vec3 {
  const offset = (openingM / 2 + FINGER_HALF_M) * (side === 'right' ? -1 : 1);
  return [x - sin(yawRad) * offset, y + cos(yawRad) * offset, z];
}
