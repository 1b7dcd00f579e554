import { acos, asin, atan2, cos, hypot, sin } from '../../protocol/portable-math.ts';
import { JOINT_INDEX, JOINTS, SHANK_M, THIGH_M } from '../../protocol/robot-model.ts';
import { FRAME_SIZE, relativeRotation, rotateOwnAxis } from './rotation.ts';

/** A leg never stretches further than this between hip and ankle: the knee stays a little bent, where its speed stays finite. */
export const LEG_REACH_M = 0.552;

const _solveLeg_hip = new Float64Array(FRAME_SIZE);
const _solveLeg_thigh = new Float64Array(FRAME_SIZE);

/**
 * Angles of one leg that put its foot where `foot` is, the knee forward (closed form: knee by the law of cosines,
 * ankle from the hip seen from the foot, hip as pitch-roll-yaw of what is left).
 * @param jointsRad receives the six angles at `first`, each within its joint's limits
 * @param pelvis world frame of the pelvis, at 0
 * @param hipWorld of the hip joint's centre, three numbers at 0
 * @param foot world frame of the ankle, at `footOffset`; z up from the sole
 * @returns whether the foot is reached exactly; else the nearest the limits allow
 */
export function solveLeg(
  jointsRad: Float64Array,
  first: number,
  pelvis: Float64Array,
  hipWorld: Float64Array,
  foot: Float64Array,
  footOffset: number,
): boolean {
  const dx = (hipWorld[0] as number) - (foot[footOffset + 9] as number);
  const dy = (hipWorld[1] as number) - (foot[footOffset + 10] as number);
  const dz = (hipWorld[2] as number) - (foot[footOffset + 11] as number);
  const inFoot = (col: number): number =>
    (foot[footOffset + col] as number) * dx +
    (foot[footOffset + 3 + col] as number) * dy +
    (foot[footOffset + 6 + col] as number) * dz;
  const rx = inFoot(0);
  const ry = inFoot(1);
  const rz = inFoot(2);

  const wantedM = hypot(rx, ry, rz);
  const lengthM = Math.min(wantedM, LEG_REACH_M);
  const cosKnee = (lengthM * lengthM - THIGH_M * THIGH_M - SHANK_M * SHANK_M) / (2 * THIGH_M * SHANK_M);
  const knee = acos(Math.max(-1, Math.min(1, cosKnee)));
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
  const put = (i: number, rad: number): void => {
    const joint = JOINTS[first + i];
    if (!joint) throw new Error(`There is no joint ${first + i}.`);
    const kept = Math.max(joint.minRad, Math.min(joint.maxRad, rad));
    if (kept !== rad) exact = false;
    jointsRad[first + i] = kept;
  };
  put(0, atan2(hip[2] as number, hip[8] as number));
  put(1, asin(Math.max(-1, Math.min(1, -(hip[5] as number)))));
  put(2, atan2(hip[3] as number, hip[4] as number));
  put(3, knee);
  put(4, anklePitch);
  put(5, ankleRoll);
  return exact;
}

/** First joint of a leg. */
export const legIndex = (side: 0 | 1): number => (side === 0 ? JOINT_INDEX.rightLeg : JOINT_INDEX.leftLeg);
