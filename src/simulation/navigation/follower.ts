import * as portable from '../../common/portable-math.ts';
import { type PlanarPose, wrapRad } from '../../protocol/wire/geometry.ts';
import { MAX_ANGULAR_RPS } from '../../protocol/wire/limits.ts';
import type { BodyVelocity } from '../sim-world.ts';
import { EPSILON_M } from './footprints.ts';
import type { HeadingEntry, HeadingPlan } from './heading-plan.ts';
import * as polyline from './polyline.ts';

/** The goal of a walk. `finalYaw` false: any heading at the end of the way. */
export type FollowerGoal = PlanarPose & { finalYaw: boolean };

/** The state of a walk along a planned way: the way, and how far along it the base has come. */
export interface Follower {
  readonly way: polyline.Polyline;
  readonly goal: FollowerGoal;
  /** The planned headings on the way; null: facing it. */
  readonly headings: HeadingPlan | null;
  /** The entry of `headings` that the base has come to. */
  heading: number;
  /** Along the way, metres. */
  progressM: number;
  /** `way`: along the path, facing it. `approach`: the last bit, straight at the goal. `hold`: there, standing. */
  phase: 'way' | 'approach' | 'hold';
}

const TOP_SPEED_MPS = 1;
/** Planned braking; the base can brake harder, so that the plan is kept. */
const BRAKING_MPS2 = 0.9;
const TURNING_RPS2 = 2;
/** The command exceeds the present speed by no more than this: otherwise the drive spends its acceleration on speed and lets the direction lag. */
const LEAD_MPS = 0.05;
/** Speeds fall in proportion to the way left when it is short, per second. */
const POSITION_GAIN_PER_S = 4;
const YAW_GAIN_PER_S = 5;
/** How far ahead the base aims: at rest, and for each m/s. */
const LOOKAHEAD_M = 0.12;
const LOOKAHEAD_S = 0.15;
/** It aims no farther past a corner than this before it has gone around it. */
const CORNER_PEEK_M = 0.04;
/** Cutting a corner may bring the base this far inside it; sets the speed in corners with the sideways acceleration. */
const CORNER_CUT_M = 0.01;
const CORNER_MPS2 = 1;
const CORNER_MIN_MPS = 0.2;
/** When the angle between heading and way is larger than this, the base turns on the spot first. */
const TURN_FIRST_RAD = 0.8;
/** Ways shorter than this are walked without turning to face them. */
const SHUFFLE_M = 0.6;
/** Nearer to the goal than this the base goes straight at it, turning to the final heading. */
const APPROACH_M = 0.3;
const ROUND_CORNER_M = 0.02;
/** With planned headings, a heading and a place along the way are reached within these; while turned otherwise by more than the last, the base waits. */
const TURNED_RAD = 0.06;
const REACHED_M = 0.02;
const ASKEW_RAD = 0.35;
const NARROW_ASKEW_RAD = 0.12;
const NARROW_CORNER_MPS2 = CORNER_MPS2 / 3;
const TANGENT_M = 0.06;
/** It does not turn towards a heading farther off than this at once: the short way round might not be the free one. */
const TURN_AHEAD_RAD = 1;
const APPROACH_TOP_MPS = 0.6;
/** The base has arrived inside these; holding ends beyond twice these. Well inside the tolerance of `go_to`. */
const ARRIVED_M = 0.008;
const ARRIVED_RAD = 0.006;
const ARRIVED_MPS = 0.02;
const ARRIVED_RPS = 0.05;

/** A follower at the start of a planned way (world frame, metres; two points or more). */
export function createFollower(
  points: readonly (readonly [number, number])[],
  goal: FollowerGoal,
  headings: HeadingPlan | null = null,
): Follower {
  return { way: polyline.createPolyline(points), goal, headings, heading: 0, progressM: 0, phase: 'way' };
}

/**
 * Returns the velocity to command now, base frame. Pure except for the follower's own progress.
 * @param pose of the base, world frame
 * @param velocity of the base as measured, base frame
 */
export function followerCommand(follower: Follower, pose: PlanarPose, velocity: BodyVelocity, dtS: number): BodyVelocity {
  const speedMps = portable.hypot(velocity.vx, velocity.vy);
  follower.progressM = polyline.project(follower.way, pose, follower.progressM, LOOKAHEAD_M + (speedMps + TOP_SPEED_MPS) * dtS);
  updatePhase(follower, pose);
  switch (follower.phase) {
    case 'way':
      return follower.headings ? walkTurned(follower, follower.headings, pose, speedMps) : walkAlong(follower, pose, speedMps);
    case 'approach':
      return approach(follower, pose);
    case 'hold':
      return { vx: 0, vy: 0, wz: 0 };
  }
}

function updatePhase(follower: Follower, pose: PlanarPose): void {
  const { positionM, yawRad } = errors(follower, pose);
  const { way, progressM } = follower;
  if (follower.headings && follower.heading < follower.headings.entries.length - 1) return;
  const nearM = way.lengthM < SHUFFLE_M ? SHUFFLE_M : APPROACH_M;
  // Straight at the goal only where the way is straight too: a corner may be there because of something beside it.
  const isStraight = progressM > (way.corners.at(-1)?.atM ?? 0) - ROUND_CORNER_M;
  if (follower.phase === 'way' && isStraight && Math.max(positionM, way.lengthM - progressM) < nearM) follower.phase = 'approach';
  const isInside = positionM < ARRIVED_M && yawRad < ARRIVED_RAD;
  if (follower.phase === 'approach' && isInside) follower.phase = 'hold';
  else if (follower.phase === 'hold' && (positionM > 2 * ARRIVED_M || yawRad > 2 * ARRIVED_RAD)) follower.phase = 'approach';
}

function walkAlong({ way, progressM }: Follower, pose: PlanarPose, speedMps: number): BodyVelocity {
  const corner = way.corners.find(({ atM }) => atM >= progressM);
  const aimM = Math.min(progressM + LOOKAHEAD_M + LOOKAHEAD_S * speedMps, (corner?.atM ?? way.lengthM) + CORNER_PEEK_M);
  const aim = polyline.pointAt(way, aimM);
  const directionRad = portable.atan2(aim.y - pose.y, aim.x - pose.x);
  const turnRad = wrapRad(directionRad - pose.yawRad);
  const wz = turnRate(turnRad);
  if (Math.abs(turnRad) > TURN_FIRST_RAD) return { vx: 0, vy: 0, wz };
  const wantedMps = Math.min(speedMps + LEAD_MPS, speedLimit(way, progressM) * portable.cos(turnRad) * portable.cos(turnRad));
  const alongRad = directionBack(way, progressM, pose, wantedMps) - pose.yawRad;
  return { vx: wantedMps * portable.cos(alongRad), vy: wantedMps * portable.sin(alongRad), wz };
}

/** Returns the velocity along the way with the planned headings: the base waits where it must turn on the spot, and slows down while it is turned otherwise. */
function walkTurned(follower: Follower, { entries }: HeadingPlan, pose: PlanarPose, speedMps: number): BodyVelocity {
  const { way, progressM } = follower;
  const offRad = (yawRad: number): number => wrapRad(yawRad - pose.yawRad);
  for (;;) {
    const [entry, next] = [entries[follower.heading], entries[follower.heading + 1]];
    if (!entry || !next) break;
    const goesOn = isOnSpot(entry, next) ? Math.abs(offRad(next.yawRad)) < TURNED_RAD : progressM >= next.atM - REACHED_M;
    if (!goesOn) break;
    follower.heading += 1;
  }
  const { heading } = follower;
  const entry = entries[heading];
  if (!entry) return { vx: 0, vy: 0, wz: 0 };
  if (isOnSpot(entry, entries[heading + 1])) {
    // The whole turn is aimed at, but not past a heading that is nearer the other way around, which might not be free.
    let aimed = heading + 1;
    while (isOnSpot(entry, entries[aimed + 1]) && Math.abs(offRad(entries[aimed + 1]?.yawRad ?? 0)) < TURN_AHEAD_RAD) aimed += 1;
    return { vx: 0, vy: 0, wz: turnRate(offRad(entries[aimed]?.yawRad ?? entry.yawRad)) };
  }
  const wz = turnRate(offRad(yawAt(entries, heading, progressM + LOOKAHEAD_S * speedMps)));
  const askewRad = Math.abs(offRad(yawAt(entries, heading, progressM)));
  const share = Math.max(0, 1 - askewRad / (entry.isNarrow ? NARROW_ASKEW_RAD : ASKEW_RAD));
  const limitMps = Math.min(entry.topMps, speedLimit(way, progressM, entry.isNarrow ? NARROW_CORNER_MPS2 : CORNER_MPS2));
  const wantedMps = Math.min(speedMps + LEAD_MPS, limitMps * share);
  const directionRad = directionBack(way, progressM, pose, wantedMps) - pose.yawRad;
  return { vx: wantedMps * portable.cos(directionRad), vy: wantedMps * portable.sin(directionRad), wz };
}

const isOnSpot = (entry: HeadingEntry, next: HeadingEntry | undefined): boolean => next !== undefined && next.atM === entry.atM;

/** The planned heading at a place of the way, from entry `first` on, not past the next turn on the spot. */
function yawAt(entries: readonly HeadingEntry[], first: number, atM: number): number {
  for (let i = first; ; i += 1) {
    const [entry, next] = [entries[i], entries[i + 1]];
    if (!entry) return 0;
    if (!next || isOnSpot(entry, next)) return entry.yawRad;
    if (atM >= next.atM) continue;
    const share = Math.max(0, (atM - entry.atM) / (next.atM - entry.atM));
    return entry.yawRad + share * wrapRad(next.yawRad - entry.yawRad);
  }
}

/** Along the way, and back to it from beside it: corners are not cut. */
function directionBack(way: polyline.Polyline, progressM: number, pose: PlanarPose, speedMps: number): number {
  const on = polyline.pointAt(way, progressM);
  const ahead = polyline.pointAt(way, progressM + TANGENT_M);
  const lengthM = Math.max(portable.hypot(ahead.x - on.x, ahead.y - on.y), EPSILON_M);
  const alongMps = Math.max(speedMps, CORNER_MIN_MPS) / lengthM;
  return portable.atan2(
    (ahead.y - on.y) * alongMps + POSITION_GAIN_PER_S * (on.y - pose.y),
    (ahead.x - on.x) * alongMps + POSITION_GAIN_PER_S * (on.x - pose.x),
  );
}

/** Returns the highest speed from which the base can still slow down for every corner ahead and for the end. */
function speedLimit(way: polyline.Polyline, progressM: number, cornerMps2 = CORNER_MPS2): number {
  let limit = Math.min(TOP_SPEED_MPS, Math.sqrt(2 * BRAKING_MPS2 * Math.max(0, way.lengthM - progressM)));
  for (const corner of way.corners) {
    const aheadM = corner.atM - progressM;
    if (aheadM < 0) continue;
    // A circle that cuts the corner by d has the radius d / (1 / cos(turn / 2) - 1).
    const radiusM = CORNER_CUT_M / (1 / portable.cos(corner.turnRad / 2) - 1);
    const cornerMps = Math.max(CORNER_MIN_MPS, Math.sqrt(cornerMps2 * radiusM));
    limit = Math.min(limit, Math.sqrt(cornerMps * cornerMps + 2 * BRAKING_MPS2 * aheadM));
  }
  return limit;
}

function approach({ goal }: Follower, pose: PlanarPose): BodyVelocity {
  const [wayX, wayY] = [goal.x - pose.x, goal.y - pose.y];
  const leftM = portable.hypot(wayX, wayY);
  const speedMps = Math.min(APPROACH_TOP_MPS, Math.sqrt(2 * BRAKING_MPS2 * leftM), POSITION_GAIN_PER_S * leftM);
  const [cos, sin] = [portable.cos(pose.yawRad), portable.sin(pose.yawRad)];
  const scale = leftM === 0 ? 0 : speedMps / leftM;
  return {
    vx: (wayX * cos + wayY * sin) * scale,
    vy: (-wayX * sin + wayY * cos) * scale,
    wz: goal.finalYaw ? turnRate(wrapRad(goal.yawRad - pose.yawRad)) : 0,
  };
}

const turnRate = (turnRad: number): number =>
  Math.sign(turnRad) *
  Math.min(MAX_ANGULAR_RPS, Math.sqrt(2 * TURNING_RPS2 * Math.abs(turnRad)), YAW_GAIN_PER_S * Math.abs(turnRad));

function errors({ goal }: Follower, pose: PlanarPose): { positionM: number; yawRad: number } {
  return {
    positionM: portable.hypot(goal.x - pose.x, goal.y - pose.y),
    yawRad: goal.finalYaw ? Math.abs(wrapRad(goal.yawRad - pose.yawRad)) : 0,
  };
}

/** Returns how far the base still has to walk, metres: the rest of the way, or straight to the goal when only that is left. */
export function remainingM(follower: Follower, pose: PlanarPose): number {
  const straightM = errors(follower, pose).positionM;
  return follower.phase === 'way' ? Math.max(straightM, follower.way.lengthM - follower.progressM) : straightM;
}

/** Returns the places between which the base still goes straight: from its present target place to the goal. */
export function restOf({ way, progressM, phase, goal }: Follower, pose: PlanarPose): { x: number; y: number }[] {
  if (phase !== 'way') return [pose, goal];
  return [polyline.pointAt(way, progressM), ...way.points.filter((_, i) => (way.atM[i] ?? 0) > progressM)];
}

/** Returns whether the base is at the goal, within about 1 cm and half a degree, and standing. */
export function arrived(follower: Follower, pose: PlanarPose, velocity: BodyVelocity): boolean {
  return (
    follower.phase === 'hold' &&
    errors(follower, pose).positionM < 2 * ARRIVED_M &&
    portable.hypot(velocity.vx, velocity.vy) < ARRIVED_MPS &&
    Math.abs(velocity.wz) < ARRIVED_RPS
  );
}
