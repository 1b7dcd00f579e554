import { clamp } from '../../common/clamp.ts';
import { acos, atan2, cos, hypot, power, sin, tan } from '../../common/portable-math.ts';
import {
  ANKLE_HEIGHT_M,
  BASE_HEIGHT_M,
  HIP_OFFSET,
  JOINTS,
  SHANK_M,
  SHOULDER_ABOVE_WAIST_M,
  SHOULDER_HALF_WIDTH_M,
  THIGH_M,
  WAIST_HEIGHT_M,
} from '../../protocol/robots/humanoid.ts';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import { ELBOW_TO_PALM_M, STRAIGHT_MARGIN_M, swivelRadiusM } from './arm-ik.ts';
import { LEG_REACH_M } from './leg-ik.ts';
import { sideSign } from './stance.ts';

/** The trunk's posture, in the base frame; the reach of both hands together follows from it. */
export interface Posture {
  /** Pelvis above the floor. */
  heightM: number;
  /** Pitch of pelvis and trunk, positive forward. */
  leanRad: number;
  /** Pelvis ahead of the base (negative: hips shifted back to balance a lean) and to its left. */
  shiftXM: number;
  shiftYM: number;
  /** Of the trunk against the base, positive left. */
  waistRad: number;
}

export const UPRIGHT: Posture = { heightM: BASE_HEIGHT_M, leanRad: 0, shiftXM: 0, shiftYM: 0, waistRad: 0 };

/** A grip in the base frame, metres above the floor; see `GripPose`. */
export interface BaseGrip {
  xM: number;
  yM: number;
  zM: number;
  yawRad: number;
  openingM: number;
  /** To where the palms close next. @default `CLOSED_M` */
  closesToM?: number;
}

/**
 * Every posture also suits hands closed to this, a little less than a cube: palms further apart reach further (the elbows come
 * forward with the shoulders), so hands that reach a thing closed reach it open, and closing them needs no other posture.
 */
export const CLOSED_M = CUBE_EDGE_M - 0.01;

/** The palm's frame is this far behind its inner face. */
export const PALM_HALF_THICKNESS_M = 0.01;

const LOWEST = { heightM: 0.35, leanRad: -0.1, shiftXM: -0.16 };
const HIGHEST = { heightM: BASE_HEIGHT_M, leanRad: 1.12, shiftXM: 0.08 };
const SHIFT_Y_MAX_M = 0.06;
const WAIST_MAX_RAD = 1.05;
/** The elbow keeps out of a box about the trunk, in the trunk's frame. */
const TRUNK_FRONT_M = 0.12;
const TRUNK_HALF_WIDTH_M = 0.15;
/** Where the centre of mass should be ahead of the ankles, and how far it may wander before the sole tips. */
const BALANCE_X_M = 0.01;
const BALANCE_RANGE_M = 0.1;
/** Kept free before each joint limit of the legs: the toes' angle turns a little of every joint into another. */
const LEG_MARGIN_RAD = 0.06;

const hinge = (excess: number): number => (excess > 0 ? excess * excess : 0);
const limits = (name: string): { minRad: number; maxRad: number } => {
  const joint = JOINTS.find((candidate) => candidate.name === name);
  if (!joint) throw new Error(`The robot has no joint '${name}'.`);
  return joint;
};
const HIP = limits('right_hip_pitch');
const KNEE = limits('right_knee');
const ANKLE = limits('right_ankle_pitch');

/**
 * Returns the cost of a posture for a grip: hard limits (arm length, leg joints, balance) weigh thousands, comfort (upright
 * trunk, high pelvis, bent elbows clear of the trunk) weighs about one.
 */
function cost(posture: Posture, grip: BaseGrip): number {
  const sinLean = sin(posture.leanRad);
  const cosLean = cos(posture.leanRad);
  const across = cos(grip.yawRad);
  const normalX = -sin(grip.yawRad);
  const sinWaist = sin(posture.waistRad);
  const cosWaist = cos(posture.waistRad);

  let sum = 0.6 * power((BASE_HEIGHT_M - posture.heightM) / 0.27, 2) + 0.7 * power(posture.leanRad, 2);
  for (const side of [0, 1] as const) {
    const sign = sideSign(side);
    // Shoulder: along the trunk, turned by the waist, leaned by the pelvis.
    const trunkX = -sinWaist * sign * SHOULDER_HALF_WIDTH_M;
    const trunkZ = WAIST_HEIGHT_M + SHOULDER_ABOVE_WAIST_M;
    const shoulderX = posture.shiftXM + cosLean * trunkX + sinLean * trunkZ;
    const shoulderY = posture.shiftYM + cosWaist * sign * SHOULDER_HALF_WIDTH_M;
    const shoulderZ = posture.heightM - sinLean * trunkX + cosLean * trunkZ;
    const palmOffset = sign * (grip.openingM / 2 + PALM_HALF_THICKNESS_M);
    const dx = grip.xM + normalX * palmOffset - shoulderX;
    const dy = grip.yM + across * palmOffset - shoulderY;
    const dz = grip.zM - shoulderZ;
    const forward = dx * across - dy * normalX;
    const lateral = dx * normalX + dy * across;
    const radius = swivelRadiusM(lateral);
    const distance = hypot(forward, dz);
    const far = radius + ELBOW_TO_PALM_M;
    sum += 2e4 * hinge(distance - far + STRAIGHT_MARGIN_M + 0.003) + 2e4 * hinge(ELBOW_TO_PALM_M - radius + 0.02 - distance);
    sum += 2e4 * hinge(Math.abs(lateral) - 0.205) + 30 * hinge(distance - far + 0.05) + 5000 * hinge(distance - far + 0.018);
    // Elbow in the trunk's frame (waist taken as turned with the grip).
    const along = (radius * radius - ELBOW_TO_PALM_M * ELBOW_TO_PALM_M + distance * distance) / (2 * distance);
    const below = Math.sqrt(Math.max(radius * radius - along * along, 0));
    const elbowForward = (along * forward + below * dz) / distance;
    const elbowUp = (along * dz - below * forward) / distance;
    const elbowX = cosLean * elbowForward - sinLean * elbowUp;
    const elbowY = sign * (sign * SHOULDER_HALF_WIDTH_M + lateral);
    if (elbowY < TRUNK_HALF_WIDTH_M) sum += 150 * hinge(TRUNK_FRONT_M - elbowX);
  }

  // The legs, seen from the side: knee, ankle and hip pitch of a flat foot under the base.
  const hipX = posture.shiftXM + sinLean * HIP_OFFSET[2];
  const hipZ = posture.heightM + cosLean * HIP_OFFSET[2] - ANKLE_HEIGHT_M;
  const leg = hypot(hipX, hipZ);
  sum += 2e4 * hinge(leg - LEG_REACH_M + 0.002);
  const knee = acos(clamp((leg * leg - THIGH_M * THIGH_M - SHANK_M * SHANK_M) / (2 * THIGH_M * SHANK_M), -1, 1));
  const ankle = -knee / 2 - atan2(hipX, hipZ);
  const hip = -posture.leanRad - knee - ankle;
  sum +=
    500 *
    (hinge(knee - KNEE.maxRad + LEG_MARGIN_RAD) +
      hinge(ANKLE.minRad + LEG_MARGIN_RAD - ankle) +
      hinge(HIP.minRad + LEG_MARGIN_RAD - hip));

  // Centre of mass: two thirds above the hips, about 0.25 m up the trunk.
  const massX = 0.82 * posture.shiftXM + 0.1625 * sinLean;
  sum += 40 * power(massX - BALANCE_X_M, 2) + 3000 * hinge(Math.abs(massX - BALANCE_X_M) - BALANCE_RANGE_M);
  return sum;
}

/** Returns the start of the search by the height of the grip: nearly upright for the highest, low and leaning for the lowest. */
function startFor(zM: number): { heightM: number; leanRad: number; shiftXM: number } {
  const low = clamp((0.75 - zM) / 0.65, 0, 1);
  return { heightM: 0.61 - 0.24 * low, leanRad: 0.05 + 0.9 * low, shiftXM: -0.06 * low };
}
const DIRECTIONS: readonly (readonly [number, number, number])[] = [
  [0.06, 0, 0],
  [0, 0.2, 0],
  [0, 0, 0.04],
  [0.06, -0.2, 0],
  [0, 0.2, -0.04],
  [0.06, 0, 0.04],
];

/**
 * Returns the most comfortable posture for a grip: a pattern search over height, lean and hip shift from a start that the grip
 * alone decides, so that the same grip always gives the same posture. Waist and sideways shift follow from the grip. The arms
 * decide whether the grip is truly reached.
 */
export function findPosture(wanted: BaseGrip): Posture {
  const grip = { ...wanted, openingM: Math.min(wanted.openingM, wanted.closesToM ?? CLOSED_M) };
  const waistRad = clamp(grip.yawRad, -WAIST_MAX_RAD, WAIST_MAX_RAD);
  const sidewaysM = grip.yM - grip.xM * tan(clamp(grip.yawRad, -0.6, 0.6));
  const shiftYM = clamp(sidewaysM, -SHIFT_Y_MAX_M, SHIFT_Y_MAX_M);
  const at: Posture = { ...startFor(grip.zM), shiftYM, waistRad };
  const trial: Posture = { ...at };
  let atCost = cost(at, grip);
  for (let scale = 1; scale > 0.01; ) {
    let improved = false;
    for (const [dh, dl, ds] of DIRECTIONS) {
      for (const sign of [scale, -scale]) {
        trial.heightM = clamp(at.heightM + sign * dh, LOWEST.heightM, HIGHEST.heightM);
        trial.leanRad = clamp(at.leanRad + sign * dl, LOWEST.leanRad, HIGHEST.leanRad);
        trial.shiftXM = clamp(at.shiftXM + sign * ds, LOWEST.shiftXM, HIGHEST.shiftXM);
        const trialCost = cost(trial, grip);
        if (trialCost < atCost - 1e-7) {
          atCost = trialCost;
          Object.assign(at, trial);
          improved = true;
        }
      }
    }
    if (!improved) scale /= 2;
  }
  return at;
}
