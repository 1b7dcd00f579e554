import { clamp } from '../../common/clamp.ts';
import { acos, asin, atan2, hypot, sin } from '../../common/portable-math.ts';
import {
  FOREARM_M,
  JOINT_INDEX,
  PALM_FROM_WRIST_M,
  SHOULDER_ABOVE_WAIST_M,
  SHOULDER_HALF_WIDTH_M,
  UPPER_ARM_M,
} from '../../protocol/robots/humanoid.ts';
import { putWithinLimits } from './joint-limits.ts';
import { FRAME } from './kinematics.ts';
import { sideSign } from './stance.ts';

/** Elbow to the middle of the palm. */
export const ELBOW_TO_PALM_M = FOREARM_M + PALM_FROM_WRIST_M;
/** The elbow stays this far from the plane of a fully sideways upper arm: beyond, the palm cannot be held upright. */
const MIN_SWIVEL_M = 0.03;
/** Short of the straight arm by this much, where the elbow's speed stays finite. */
export const STRAIGHT_MARGIN_M = 0.004;

/** Where both palms are to be: the middle between them, the unit direction from the right one to the left, and how far each is from the middle. */
export interface PalmsGoal {
  x: number;
  y: number;
  z: number;
  normalX: number;
  normalY: number;
  halfM: number;
}

/** Returns a goal for both palms, to be written in place. */
export const createPalmsGoal = (): PalmsGoal => ({ x: 0, y: 0, z: 0, normalX: 0, normalY: 1, halfM: 0 });

/** First joint of an arm. */
export const armIndex = (side: 0 | 1): number => (side === 0 ? JOINT_INDEX.rightArm : JOINT_INDEX.leftArm);

/** In-plane length of the upper arm when the elbow is `lateralM` beside its shoulder. */
export const swivelRadiusM = (lateralM: number): number =>
  Math.sqrt(Math.max(UPPER_ARM_M * UPPER_ARM_M - lateralM * lateralM, MIN_SWIVEL_M * MIN_SWIVEL_M));

/**
 * Computes the angles of one arm that put its palm at a point, the palm's faces square to a horizontal direction (closed form).
 * A hand turns only about its forearm, so the forearm lies in the vertical plane through the palm square to that direction; in
 * this plane the elbow is where the circle about the palm meets the circle that the upper arm can reach: the lower of the two.
 * @param jointPositions receives the five angles, each within its joint's limits
 * @param frames with that of the torso up to date
 * @param grip in the frame of reference of `frames`
 * @returns whether the palm is reached exactly; otherwise the angles are the nearest that the arm can take
 */
export function solveArm(
  jointPositions: Float64Array,
  side: 0 | 1,
  frames: Float64Array,
  { x, y, z, normalX, normalY, halfM }: PalmsGoal,
): boolean {
  const f = frames;
  const { torso } = FRAME;
  const palmX = x + normalX * (sideSign(side) * halfM);
  const palmY = y + normalY * (sideSign(side) * halfM);
  const sy = sideSign(side) * SHOULDER_HALF_WIDTH_M;
  const sz = SHOULDER_ABOVE_WAIST_M;
  const dx = palmX - ((f[torso + 1] as number) * sy + (f[torso + 2] as number) * sz + (f[torso + 9] as number));
  const dy = palmY - ((f[torso + 4] as number) * sy + (f[torso + 5] as number) * sz + (f[torso + 10] as number));
  const dz = z - ((f[torso + 7] as number) * sy + (f[torso + 8] as number) * sz + (f[torso + 11] as number));

  // Coordinates of the grip plane: forward (normalY, -normalX), up, and across (the normal).
  const forwardM = dx * normalY - dy * normalX;
  const wantedAcrossM = dx * normalX + dy * normalY;
  const maxAcrossM = Math.sqrt(UPPER_ARM_M * UPPER_ARM_M - MIN_SWIVEL_M * MIN_SWIVEL_M);
  const acrossM = clamp(wantedAcrossM, -maxAcrossM, maxAcrossM);
  const radiusM = swivelRadiusM(acrossM);
  const wantedM = hypot(forwardM, dz);
  const nearM = Math.abs(ELBOW_TO_PALM_M - radiusM) + STRAIGHT_MARGIN_M;
  const farM = radiusM + ELBOW_TO_PALM_M - STRAIGHT_MARGIN_M;
  const reachM = clamp(wantedM, nearM, farM);
  let exact = Math.abs(reachM - wantedM) < 1e-9 && acrossM === wantedAcrossM;

  const ux = wantedM > 1e-9 ? forwardM / wantedM : 1;
  const uz = wantedM > 1e-9 ? dz / wantedM : 0;
  const along = (radiusM * radiusM - ELBOW_TO_PALM_M * ELBOW_TO_PALM_M + reachM * reachM) / (2 * reachM);
  const below = Math.sqrt(Math.max(radiusM * radiusM - along * along, 0));
  const elbowForwardM = along * ux + below * uz;
  const elbowUpM = along * uz - below * ux;
  const foreForward = (reachM * ux - elbowForwardM) / ELBOW_TO_PALM_M;
  const foreUp = (reachM * uz - elbowUpM) / ELBOW_TO_PALM_M;

  // Directions of upper arm (a) and forearm (b) in the world, then of the upper arm's own axes.
  const ax = (elbowForwardM * normalY + acrossM * normalX) / UPPER_ARM_M;
  const ay = (-elbowForwardM * normalX + acrossM * normalY) / UPPER_ARM_M;
  const az = elbowUpM / UPPER_ARM_M;
  const bx = foreForward * normalY;
  const by = -foreForward * normalX;
  const bz = foreUp;
  const cosBend = clamp(ax * bx + ay * by + az * bz, -1, 1);
  const bend = acos(cosBend);
  const sinBend = Math.max(sin(bend), 1e-6);
  const xx = (bx - cosBend * ax) / sinBend;
  const xy = (by - cosBend * ay) / sinBend;
  const xz = (bz - cosBend * az) / sinBend;
  const yx = -(ay * xz - az * xy);
  const yy = -(az * xx - ax * xz);
  const yz = -(ax * xy - ay * xx);

  // In the torso's frame the upper arm is Ry(pitch) Rx(roll) Rz(yaw); its z axis is -a.
  const zTorsoX = -((f[torso] as number) * ax + (f[torso + 3] as number) * ay + (f[torso + 6] as number) * az);
  const zTorsoY = -((f[torso + 1] as number) * ax + (f[torso + 4] as number) * ay + (f[torso + 7] as number) * az);
  const zTorsoZ = -((f[torso + 2] as number) * ax + (f[torso + 5] as number) * ay + (f[torso + 8] as number) * az);
  const xTorsoY = (f[torso + 1] as number) * xx + (f[torso + 4] as number) * xy + (f[torso + 7] as number) * xz;
  const yTorsoY = (f[torso + 1] as number) * yx + (f[torso + 4] as number) * yy + (f[torso + 7] as number) * yz;
  const pitch = atan2(zTorsoX, zTorsoZ);
  const roll = asin(clamp(-zTorsoY, -1, 1));
  const yaw = atan2(xTorsoY, yTorsoY);
  const foreXAlongNormal = (cosBend * xx - sinBend * ax) * normalX + (cosBend * xy - sinBend * ay) * normalY;
  const wrist = atan2(-foreXAlongNormal, yx * normalX + yy * normalY);

  const first = armIndex(side);
  const mirror = side === 0 ? 1 : -1;
  exact = putWithinLimits(jointPositions, first, mirror * pitch) && exact;
  exact = putWithinLimits(jointPositions, first + 1, -roll) && exact;
  exact = putWithinLimits(jointPositions, first + 2, yaw) && exact;
  exact = putWithinLimits(jointPositions, first + 3, -mirror * bend) && exact;
  return putWithinLimits(jointPositions, first + 4, wrist) && exact;
}
