import { clamp } from '../../common/clamp.ts';
import { acos, asin, atan2, cos, hypot, sin } from '../../common/portable-math.ts';
import { JOINT_INDEX, SHANK_M, THIGH_M } from '../../protocol/robots/humanoid.ts';
import { FRAME_SIZE, relativeRotation, rotateOwnAxis } from '../rotation.ts';
import { putWithinLimits } from './joint-limits.ts';

/** A leg never stretches further than this between hip and ankle: the knee stays a little bent, where its speed stays finite. */
export const LEG_REACH_M = 0.552;

const _solveLeg_hip = new Float64Array(FRAME_SIZE);
const _solveLeg_thigh = new Float64Array(FRAME_SIZE);

/**
 * Computes the angles of one leg that put its foot where `foot` is, the knee forward (closed form: knee by the law of cosines,
 * ankle from the hip seen from the foot, hip as pitch-roll-yaw of the rest).
 * @param jointPositions receives the six angles at `first`, each within its joint's limits
 * @param pelvis world frame of the pelvis, at 0
 * @param hipWorld of the hip joint's centre, three numbers at 0
 * @param foot world frame of the ankle, at `footOffset`; z up from the sole
 * @returns whether the foot is reached exactly; otherwise the angles are the nearest that the limits allow
 */
export function solveLeg(
  jointPositions: Float64Array,
  first: number,
  pelvis: Float64Array,
  hipWorld: Float64Array,
  foot: Float64Array,
  footOffset: number,
): boolean {
  const dx = (hipWorld[0] as number) - (foot[footOffset + 9] as number);
  const dy = (hipWorld[1] as number) - (foot[footOffset + 10] as number);
  const dz = (hipWorld[2] as number) - (foot[footOffset + 11] as number);
  const f = footOffset;
  const rx = (foot[f] as number) * dx + (foot[f + 3] as number) * dy + (foot[f + 6] as number) * dz;
  const ry = (foot[f + 1] as number) * dx + (foot[f + 4] as number) * dy + (foot[f + 7] as number) * dz;
  const rz = (foot[f + 2] as number) * dx + (foot[f + 5] as number) * dy + (foot[f + 8] as number) * dz;

  const wantedM = hypot(rx, ry, rz);
  const lengthM = Math.min(wantedM, LEG_REACH_M);
  const cosKnee = (lengthM * lengthM - THIGH_M * THIGH_M - SHANK_M * SHANK_M) / (2 * THIGH_M * SHANK_M);
  const knee = acos(clamp(cosKnee, -1, 1));
  const ankleRoll = atan2(ry, rz);
  const hipSeenRad = atan2(rx, hypot(ry, rz));
  const bentRad = atan2(-THIGH_M * sin(knee), SHANK_M + THIGH_M * cos(knee));
  const anklePitch = bentRad - hipSeenRad;

  const thigh = _solveLeg_thigh;
  for (let i = 0; i < 9; i += 1) thigh[i] = foot[footOffset + i] as number;
  rotateOwnAxis(thigh, 0, 0, -ankleRoll);
  rotateOwnAxis(thigh, 0, 1, -(knee + anklePitch));
  const hip = _solveLeg_hip;
  relativeRotation(hip, 0, pelvis, 0, thigh, 0);

  let exact = wantedM <= LEG_REACH_M + 1e-9;
  exact = putWithinLimits(jointPositions, first, atan2(hip[2] as number, hip[8] as number)) && exact;
  exact = putWithinLimits(jointPositions, first + 1, asin(clamp(-(hip[5] as number), -1, 1))) && exact;
  exact = putWithinLimits(jointPositions, first + 2, atan2(hip[3] as number, hip[4] as number)) && exact;
  exact = putWithinLimits(jointPositions, first + 3, knee) && exact;
  exact = putWithinLimits(jointPositions, first + 4, anklePitch) && exact;
  return putWithinLimits(jointPositions, first + 5, ankleRoll) && exact;
}

/** First joint of a leg. */
export const legIndex = (side: 0 | 1): number => (side === 0 ? JOINT_INDEX.rightLeg : JOINT_INDEX.leftLeg);
