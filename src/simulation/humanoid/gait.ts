import { clamp } from '../../common/clamp.ts';
import { cos, exp, hypot, power, sin } from '../../common/portable-math.ts';
import { ANKLE_HEIGHT_M } from '../../protocol/robots/humanoid.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import { wrapRad } from '../../protocol/wire/geometry.ts';
import { advance, aim, restart } from '../motion.ts';
import type { BodyInput } from '../robot.ts';
import type { FootState, GaitState } from './gait-state.ts';
import { type FootPlace, neutralFoot, STANCE_HALF_WIDTH_M, sideSign } from './stance.ts';

/**
 * Rhythm of a speed: the whole cycle of a leg, and the share of it the foot is planted. Between the rows, linearly. The numbers come from no model:
 * they were chosen for this robot by how smoothly pelvis, knees and feet move in seeded drives.
 */
const RHYTHM: readonly { speedMps: number; cycleS: number; duty: number }[] = [
  { speedMps: 0, cycleS: 0.86, duty: 0.64 },
  { speedMps: 0.5, cycleS: 0.74, duty: 0.6 },
  { speedMps: 1, cycleS: 0.61, duty: 0.56 },
  { speedMps: 1.25, cycleS: 0.54, duty: 0.52 },
  { speedMps: 1.5, cycleS: 0.48, duty: 0.48 },
  { speedMps: 2.2, cycleS: 0.4, duty: 0.44 },
  { speedMps: 3.2, cycleS: 0.32, duty: 0.42 },
];
/** How much one radian a second, or one metre a second sideways, hurries the rhythm, in metres a second forward. */
const TURN_HURRY_M = 0.7;
const SIDE_HURRY = 1.4;

/** Smoothing of the measured velocity and of its change. */
const VELOCITY_SMOOTH_S = 0.04;
const ACCELERATION_SMOOTH_S = 0.08;
const MAX_ACCELERATION: readonly [number, number, number] = [2, 2, 4];

/** Slower than this the robot steps only when a foot is out of place by more than the tolerances. */
const STEPPING_MPS = 0.06;
const MOVING_TOLERANCE = { placeM: 0.03, yawRad: 0.12 };
/** Standing still for this long, it sets its feet right more precisely. */
const STILL_S = 0.12;
const STILL_TOLERANCE = { placeM: 0.006, yawRad: 0.03 };
const STILL_MPS = 0.015;
/** A planted foot this far from where it would stand is lifted before its turn. */
const OVERSTRETCHED_M = 0.3;
const SIDE_STRAIN = 1.35;

/** Least distance between the middles of the two feet, across. */
const FEET_APART_M = 0.122;
const SHOE_LENGTH_M = 0.22;
/** Feet whose toes point apart by less than this are set farther apart, by this much per radian. */
const TOES_APART_RAD = 0.1;
const TOE_ROOM_M = 0.12;
/** A swinging foot that would cross the standing one begins to go round it this far before it is beside it; how softly the bend begins. */
const BEND_M = 0.1;
const ROUND_M = 0.01;
/** The place where a swinging foot will land stands fixed for the last part of its flight. */
const LANDING_FIXED_S = 0.07;

/** Toe and heel from the ankle: a tilted foot is raised so that neither goes through the floor. */
const TOE_M = 0.13;
const HEEL_M = 0.07;

/** Scales the tilts s³(1 − s)⁵ and s⁵(1 − s)³ over a swing to a peak of 1, which they have at s = 3/8 and 5/8: 8⁸ / (3³ · 5⁵), which is 198.84. */
const TILT_SCALE = 198.8;
/** Scales the lift (s(1 − s))³ to a peak of 1, half way: 4³. */
const LIFT_SCALE = 64;

/** How legs step: the whole cycle of a leg, and the share of it the foot is planted. */
export interface Rhythm {
  readonly cycleS: number;
  readonly duty: number;
}

/** The rhythm that a velocity in the base frame asks for: turning and side steps shorten the cycle; only speed itself takes both feet off the floor. */
export function rhythmOf([vx, vy, wz]: readonly [number, number, number]): Rhythm {
  const speed = hypot(vx, vy);
  return {
    cycleS: lookUp(hypot(speed, TURN_HURRY_M * wz) + SIDE_HURRY * Math.abs(vy), 'cycleS'),
    duty: lookUp(speed, 'duty'),
  };
}

function lookUp(speedMps: number, column: 'cycleS' | 'duty'): number {
  for (let i = 1; i < RHYTHM.length; i += 1) {
    const a = RHYTHM[i - 1];
    const b = RHYTHM[i];
    if (!a || !b || (speedMps > b.speedMps && i < RHYTHM.length - 1)) continue;
    const share = Math.min(1, (speedMps - a.speedMps) / (b.speedMps - a.speedMps));
    return a[column] + share * (b[column] - a[column]);
  }
  throw new Error('The table of rhythms has fewer than two rows.');
}

/** Half of the stance's width that keeps the feet apart when they also travel sideways. */
export function halfWidthM([, vy, wz]: readonly [number, number, number], { cycleS, duty }: Rhythm): number {
  return Math.max(STANCE_HALF_WIDTH_M, (FEET_APART_M + Math.abs(vy) * cycleS * duty) / 2) + 0.012 * Math.abs(wz);
}

/** Moves feet and rhythm on by one step. */
export function stepGait(gait: GaitState, { base, velocityBody, dtS }: BodyInput): void {
  smoothVelocity(gait, velocityBody, dtS);
  const rhythm = rhythmOf(gait.velocity);
  const { cycleS, duty } = rhythm;
  const [vx, vy, wz] = gait.velocity;
  const speed = hypot(vx, vy) + TURN_HURRY_M * Math.abs(wz);
  gait.sinceLiftS += dtS;
  gait.stillS = speed < STILL_MPS ? gait.stillS + dtS : 0;

  for (const side of [0, 1] as const) {
    if (!gait.feet[side].planted) swing(gait, side, base, rhythm, dtS);
  }

  const swingS = cycleS * (1 - duty);
  // The feet's wanted places are computed only when the result decides something.
  const resting = gait.sinceLiftS > cycleS;
  if (resting) {
    const other = gait.next === 0 ? 1 : 0;
    if (need(gait, other, base, rhythm) > need(gait, gait.next, base, rhythm)) gait.next = other;
  }
  const side = gait.next;
  const foot = gait.feet[side];
  const standing = gait.feet[side === 0 ? 1 : 0].planted;
  if (!foot.planted || !(standing || duty < 0.5)) return;
  const due = gait.sinceLiftS >= cycleS / 2 && (speed > STEPPING_MPS || need(gait, side, base, rhythm) > 1);
  const strained = standing && awayFromNeutralM(foot, base, side) > OVERSTRETCHED_M;
  if (due || strained) lift(gait, side, wantedPlace(gait, side, base, rhythm, swingS), swingS, vx);
}

/** Where a foot should land in `landingS`: in the middle of the time that it will stand there, the base is above its place. */
function wantedPlace(gait: GaitState, side: 0 | 1, base: PlanarPose, rhythm: Rhythm, landingS: number): FootPlace {
  const middle = predict(base, gait.velocity, gait.acceleration, landingS + (rhythm.duty * rhythm.cycleS) / 2);
  return keepApart(neutralFoot(middle, side, halfWidthM(gait.velocity, rhythm)), gait, side, middle.yawRad);
}

function smoothVelocity(gait: GaitState, now: BodyInput['velocityBody'], dtS: number): void {
  const velocityShare = 1 - exp(-dtS / VELOCITY_SMOOTH_S);
  const accelerationShare = 1 - exp(-dtS / ACCELERATION_SMOOTH_S);
  smoothOne(gait, 0, now.vx, velocityShare, accelerationShare, dtS);
  smoothOne(gait, 1, now.vy, velocityShare, accelerationShare, dtS);
  smoothOne(gait, 2, now.wz, velocityShare, accelerationShare, dtS);
}

function smoothOne(
  { velocity, acceleration }: GaitState,
  i: 0 | 1 | 2,
  measured: number,
  velocityShare: number,
  accelerationShare: number,
  dtS: number,
): void {
  const change = (measured - velocity[i]) * velocityShare;
  velocity[i] += change;
  const bound = MAX_ACCELERATION[i];
  const rate = clamp(change / dtS, -bound, bound);
  acceleration[i] += (rate - acceleration[i]) * accelerationShare;
}

/** Predicts where the base will be after `aheadS`: speeds change as they change now, but none reverses; the way is an arc. */
function predict(
  base: PlanarPose,
  velocity: readonly [number, number, number],
  acceleration: readonly [number, number, number],
  aheadS: number,
): PlanarPose {
  const turned = travel(velocity[2], acceleration[2], aheadS);
  const heading = base.yawRad + turned / 2;
  const c = cos(heading);
  const s = sin(heading);
  const dx = travel(velocity[0], acceleration[0], aheadS);
  const dy = travel(velocity[1], acceleration[1], aheadS);
  return { x: base.x + c * dx - s * dy, y: base.y + s * dx + c * dy, yawRad: base.yawRad + turned };
}

/** Returns the distance covered in `aheadS` at a speed that changes as it does now. */
function travel(speed: number, acceleration: number, aheadS: number): number {
  // Acceleration is expected to last only a short while: it ends sooner or later, and a step too long is worse than one too
  // short.
  if (speed * acceleration >= 0) return speed * aheadS + 0.5 * acceleration * power(Math.min(aheadS, 0.2), 2);
  const stopS = Math.min(aheadS, Math.abs(speed / acceleration));
  return speed * stopS + 0.5 * acceleration * stopS * stopS;
}

/** A landing place pushed outward until the foot stays clear of the other one. */
function keepApart(place: FootPlace, gait: GaitState, side: 0 | 1, yawRad: number): FootPlace {
  const other = gait.feet[side === 0 ? 1 : 0];
  const dx = place.xM - other.x.goal;
  const dy = place.yM - other.y.goal;
  const c = cos(yawRad);
  const s = sin(yawRad);
  if (Math.abs(c * dx + s * dy) > SHOE_LENGTH_M) return place;
  const sign = sideSign(side);
  // Toes that point at the other foot need room.
  const toeIn = Math.max(0, TOES_APART_RAD - sign * wrapRad(place.yawRad - other.yaw.goal));
  const missing = FEET_APART_M + TOE_ROOM_M * Math.min(toeIn, 1) - sign * (c * dy - s * dx);
  if (missing <= 0) return place;
  return { ...place, xM: place.xM - s * sign * missing, yM: place.yM + c * sign * missing };
}

/** How many times over its tolerance a foot is out of place, if it landed after a swing from now. */
function need(gait: GaitState, side: 0 | 1, base: PlanarPose, rhythm: Rhythm): number {
  const foot = gait.feet[side];
  const place = wantedPlace(gait, side, base, rhythm, rhythm.cycleS * (1 - rhythm.duty));
  const tolerance = gait.stillS > STILL_S ? STILL_TOLERANCE : MOVING_TOLERANCE;
  return Math.max(
    hypot(foot.x.value - place.xM, foot.y.value - place.yM) / tolerance.placeM,
    Math.abs(wrapRad(foot.yaw.value - place.yawRad)) / tolerance.yawRad,
  );
}

/** Returns how far a foot is from its place in the stance of the base as it is, metres; sideways counts more, because ankles roll less than they pitch. */
function awayFromNeutralM(foot: FootState, base: PlanarPose, side: 0 | 1): number {
  const c = cos(base.yawRad);
  const s = sin(base.yawRad);
  const dx = foot.x.value - base.x;
  const dy = foot.y.value - base.y;
  return hypot(c * dx + s * dy, SIDE_STRAIN * (c * dy - s * dx - sideSign(side) * STANCE_HALF_WIDTH_M));
}

function lift(gait: GaitState, side: 0 | 1, place: FootPlace, swingS: number, vx: number): void {
  const foot = gait.feet[side];
  const stepM = hypot(place.xM - foot.x.value, place.yM - foot.y.value);
  const forward = clamp(vx / 1.2, 0, 1);
  foot.planted = false;
  foot.swingS = swingS;
  foot.liftM = 0.025 + 0.017 * Math.min(1, stepM / 0.05) + 0.01 * Math.min(1, stepM / 0.6);
  foot.toeDownRad = 0.42 * forward;
  foot.toeUpRad = 0.16 * forward;
  aim(foot.x, place.xM, swingS);
  aim(foot.y, place.yM, swingS);
  aim(foot.yaw, foot.yaw.value + wrapRad(place.yawRad - foot.yaw.value), swingS);
  gait.next = side === 0 ? 1 : 0;
  gait.sinceLiftS = 0;
}

/** Moves a swinging foot on towards its landing place; height and tilt follow from how far it is. */
function swing(gait: GaitState, side: 0 | 1, base: PlanarPose, rhythm: Rhythm, dtS: number): void {
  const foot = gait.feet[side];
  const remainingS = foot.x.remainingS;
  if (remainingS > LANDING_FIXED_S) {
    const place = wantedPlace(gait, side, base, rhythm, remainingS);
    foot.x.goal = place.xM;
    foot.y.goal = place.yM;
    foot.yaw.goal = foot.yaw.value + wrapRad(place.yawRad - foot.yaw.value);
  }
  advance(foot.x, dtS);
  advance(foot.y, dtS);
  advance(foot.yaw, dtS);
  if (foot.x.remainingS <= 0) {
    foot.planted = true;
    foot.zM = ANKLE_HEIGHT_M;
    foot.pitchRad = 0;
    foot.asideX = 0;
    foot.asideY = 0;
    restart(foot.yaw, wrapRad(foot.yaw.value));
    return;
  }
  const s = 1 - foot.x.remainingS / foot.swingS;
  const rest = 1 - s;
  goAround(foot, gait.feet[side === 0 ? 1 : 0], side, power(4 * s * rest, 2));
  const early = TILT_SCALE * power(s, 3) * power(rest, 5) * foot.toeDownRad;
  const late = TILT_SCALE * power(s, 5) * power(rest, 3) * foot.toeUpRad;
  foot.pitchRad = early - late;
  foot.zM = ANKLE_HEIGHT_M + LIFT_SCALE * power(s * rest, 3) * foot.liftM + TOE_M * early + HEEL_M * late;
}

/** Bends a swinging foot's way round the standing one. @param share how much of the bend the flight has now: none at its ends */
function goAround(foot: FootState, other: FootState, side: 0 | 1, share: number): void {
  const c = cos(other.yaw.value);
  const s = sin(other.yaw.value);
  const dx = foot.x.value - other.x.value;
  const dy = foot.y.value - other.y.value;
  const beside = clamp((SHOE_LENGTH_M + BEND_M - Math.abs(c * dx + s * dy)) / BEND_M, 0, 1);
  const sign = sideSign(side);
  const missing = FEET_APART_M * beside * beside * (3 - 2 * beside) - sign * (c * dy - s * dx);
  // Rounded off where the bend begins.
  const bend = missing >= 0 ? missing + ROUND_M : missing > -2 * ROUND_M ? power(missing + 2 * ROUND_M, 2) / (4 * ROUND_M) : 0;
  foot.asideX = -s * sign * bend * share;
  foot.asideY = c * sign * bend * share;
}
