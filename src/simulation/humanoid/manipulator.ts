import { atan2, cos, hypot, sin } from '../../common/portable-math.ts';
import { BASE_HEIGHT_M, JOINT_COUNT } from '../../protocol/robots/humanoid.ts';
import { type PlanarPose, type Vec3, wrapRad } from '../../protocol/wire/geometry.ts';
import { requireFinite } from '../finite.ts';
import { ABOUT_THERE_M, FREEZE_S, HALT_OPENED_S, HALT_S, OPENING_M } from '../hand-stops.ts';
import { aim, brake, type Channel, PEAK_FACTOR, restart } from '../motion.ts';
import type { CarryOptions, GripPose, MoveOptions, Surroundings } from '../robot.ts';
import { armsMeet } from './arms-room.ts';
import { ARM_JOINT_COUNT, channelsOf, FIRST_ARM_JOINT, type ManipulatorState } from './manipulator-state.ts';
import { foldBend, settled, switchSource, toBaseFrame, toWorldFrame } from './manipulator-step.ts';
import { type BaseGrip, findPosture, PALM_HALF_THICKNESS_M, type Posture, UPRIGHT } from './posture.ts';
import { fitGrip, gripInBase, reachFrom } from './reach.ts';
import type { BodyState } from './state.ts';

export type { GripPose } from '../robot.ts';
export { preferredDistances } from './reach.ts';

/** The place of a carried thing, base frame: its centre this far ahead and this high above the floor. Elbows stay clear of the trunk there. */
export const CARRY_AHEAD_M = 0.4;
export const CARRY_HEIGHT_M = BASE_HEIGHT_M + 0.3;

/** Peak speeds that default durations keep: of the palms, of the pelvis, of the trunk's and the arms' joints. */
const PALM_MPS = 1.9;
const OPENING_MPS = 0.8;
const PELVIS_MPS = 1;
const PELVIS_MPS2 = 13;
const TRUNK_RPS = 3.6;
const ARM_JOINT_RPS = 7;
/** Peak acceleration of a minimum-jerk motion over 1 m in 1 s: 10/√3, which is 5.7735, and a little more. */
const PEAK_ACCELERATION = 5.78;
/** Peak acceleration of a bend of 1 m off a way of 1 s: 8 · `PEAK_FACTOR`², which is 28.1, half way, where 4 · way · (1 − way) turns. */
const BEND_ACCELERATION = 28;
/** On a way longer than this the posture passes through the one that is best half way. */
const LONG_WAY_M = 0.15;
/** Narrower than any real grip: shoulders near enough for it half way are near enough for the real one at the quarters too. */
const HALF_WAY_OPENING_M = 0.1;
const SHORTEST_S = 0.15;
/** Arms that hang beside furniture take at least this long to come up past it. */
const PAST_FURNITURE_S = 0.35;

/** Computes whether the whole body (crouch, lean, waist, arms) would get both palms to a grip from a base pose, with no arm inside of what stands fixed. Pure. */
export function solveReach({ scene }: Surroundings, base: PlanarPose, grip: GripPose): { feasible: boolean } {
  const reach = reachFrom(base, grip);
  return { feasible: reach.feasible && !armsMeet(scene.layout.obstacles, base, reach.posture, reach.jointPositions) };
}

/**
 * Moves both palms to a grip: the centre on a straight line when the hands are in a grip already; otherwise the arms swing there
 * from their present place.
 * @returns false, and nothing changes, when the grip is out of reach from here
 */
export function moveTo(body: BodyState, grip: GripPose, options: MoveOptions = {}): boolean {
  requireFinite('the grip', ...grip.centre, grip.yawRad);
  requireFinite('its opening', grip.openingM);
  const reach = reachFrom(body.base, grip);
  if (!reach.feasible) return false;
  const m = body.manipulator;
  const inGrip = m.source === 'grip' && settled(m);
  const halfWay = inGrip ? postureHalfWay(commandedGrip(body), gripInBase(body.base, grip), body.base) : null;
  const durationS =
    options.durationS ??
    (options.slowerBy ?? 1) *
      Math.max(
        gripDurationS(body, grip),
        postureDurationS(m, reach.posture, halfWay),
        armsDurationS(m, reach.jointPositions),
        inGrip ? 0 : body.gait.tuck.value * PAST_FURNITURE_S,
      );
  toWorldFrame(body);
  const [x, y, z] = grip.centre;
  const yawRad = m.grip.yaw.value + wrapRad(grip.yawRad - m.grip.yaw.value);
  const { grip: g } = m;
  const goals = [
    [g.x, x],
    [g.y, y],
    [g.z, z],
    [g.yaw, yawRad],
    [g.opening, grip.openingM],
  ] as const;
  for (const [channel, goal] of goals) {
    if (!inGrip) restart(channel, goal);
    else if (channel !== g.opening || !comesToRestNear(channel, goal)) aim(channel, goal, durationS);
  }
  if (!inGrip) blendInto(m, reach.jointPositions, durationS);
  aimPosture(m, reach.posture, durationS, halfWay);
  return true;
}

/** Palms that brake because they have touched must not be sent through the thing and back over the time of a longer way. */
const comesToRestNear = ({ goal, remainingS }: Channel, wanted: number): boolean =>
  remainingS > 0 && remainingS <= FREEZE_S && Math.abs(goal - wanted) < ABOUT_THERE_M;

/** Opens or closes the palms about the grip's centre. */
export function setOpening(body: BodyState, openingM: number, durationS?: number): void {
  const { opening } = body.manipulator.grip;
  aim(opening, openingM, durationS ?? Math.max(SHORTEST_S, (PEAK_FACTOR * Math.abs(openingM - opening.value)) / OPENING_MPS));
}

/** Stops the palms where they are; called when they have touched the thing they close on. */
export function freezeOpening(body: BodyState): void {
  brake(body.manipulator.grip.opening, FREEZE_S);
}

/** Brings the hands before the chest and keeps the opening; from then on they move with the base. */
export function carry(body: BodyState, { heightM = CARRY_HEIGHT_M, slowerBy = 1 }: CarryOptions = {}): void {
  const m = body.manipulator;
  const grip = { xM: CARRY_AHEAD_M, yM: 0, zM: heightM, yawRad: 0, openingM: m.grip.opening.goal };
  // Upright: a cube before the chest asks for no other posture, and head and camera stay straight above the base.
  const posture = UPRIGHT;
  const jointPositions = new Float64Array(JOINT_COUNT);
  fitGrip(jointPositions, posture, grip);
  const wasInGrip = m.source === 'grip';
  toBaseFrame(body);
  const { grip: g } = m;
  const distanceM = hypot(g.x.value - grip.xM, g.y.value - grip.yM, g.z.value - grip.zM);
  const bestHalfWay = postureHalfWay(commandedGrip(body), { ...grip, openingM: g.opening.value }, body.base);
  const halfWay = wasInGrip ? bestHalfWay : null;
  const durationS =
    slowerBy *
    Math.max(SHORTEST_S, postureDurationS(m, posture, halfWay), wasInGrip ? (PEAK_FACTOR * distanceM) / PALM_MPS : 0.6);
  const goals = [
    [g.x, grip.xM],
    [g.y, grip.yM],
    [g.z, grip.zM],
    [g.yaw, g.yaw.value - wrapRad(g.yaw.value)],
  ] as const;
  for (const [channel, goal] of goals) {
    if (wasInGrip) aim(channel, goal, durationS);
    else restart(channel, goal);
  }
  if (!wasInGrip || !settled(m)) blendInto(m, jointPositions, durationS);
  aimPosture(m, posture, durationS, halfWay);
}

/** The lowest and most bent posture for walking: below it, legs have no room for a step. */
const WALKING_HEIGHT_M = 0.56;
const WALKING_LEAN_RAD = 0.3;

/** Returns whether the trunk is, or is on its way to, where the legs cannot walk. */
export const isTooLowToWalk = ({ manipulator: { source, posture } }: BodyState): boolean =>
  source === 'grip' && (posture.height.goal < WALKING_HEIGHT_M || Math.abs(posture.lean.goal) > WALKING_LEAN_RAD);

/** Puts the arms back to their swing and the trunk upright. */
export function stow(body: BodyState, wantedS?: number): void {
  const m = body.manipulator;
  const durationS = wantedS ?? Math.max(postureDurationS(m, UPRIGHT), m.source === 'grip' ? 0.45 : SHORTEST_S);
  if (m.source !== 'swing' || !settled(m)) switchSource(m, 'swing', durationS);
  aimPosture(m, UPRIGHT, durationS);
}

/**
 * Brakes every motion of hands and trunk within 0.3 s and holds them there. Opening hands open to the end, and in time, because
 * half-open hands would clamp the thing they were to let go.
 */
export function halt(body: BodyState): void {
  const m = body.manipulator;
  foldBend(m);
  const { opening } = m.grip;
  for (const channel of channelsOf(m)) {
    if (channel === opening && opening.goal > opening.value + OPENING_M) {
      aim(opening, opening.goal, Math.min(HALT_OPENED_S, opening.remainingS));
      continue;
    }
    // A motion that ends sooner still does so: otherwise palms that have just touched a thing would close on through it.
    brake(channel, Math.min(HALT_S, channel.remainingS));
  }
  if (m.blend.goal > 1) aim(m.blend, 1, HALT_S);
}

/** Returns whether hands or trunk are on their way somewhere, or an arm gives way. */
export const isMoving = ({ manipulator: m }: BodyState): boolean =>
  channelsOf(m).some(({ remainingS }) => remainingS > 0) || m.giveWay.some(({ velocity }) => velocity !== 0);

/** The grip as the palms are now, from forward kinematics. */
export function grip(body: BodyState): GripPose {
  const { right, left } = body.palms;
  const across: Vec3 = [
    left.position[0] - right.position[0],
    left.position[1] - right.position[1],
    left.position[2] - right.position[2],
  ];
  return {
    centre: [
      (right.position[0] + left.position[0]) / 2,
      (right.position[1] + left.position[1]) / 2,
      (right.position[2] + left.position[2]) / 2,
    ],
    yawRad: atan2(-across[0], across[1]),
    openingM: hypot(...across) - 2 * PALM_HALF_THICKNESS_M,
  };
}

/** The grip as commanded at this moment, world frame. */
export function commandedGrip({ manipulator: m, base }: BodyState): GripPose {
  const { x, y, z, yaw, opening } = m.grip;
  if (m.frame === 'world') return { centre: [x.value, y.value, z.value], yawRad: yaw.value, openingM: opening.value };
  const c = cos(base.yawRad);
  const s = sin(base.yawRad);
  return {
    centre: [base.x + c * x.value - s * y.value, base.y + s * x.value + c * y.value, z.value],
    yawRad: base.yawRad + yaw.value,
    openingM: opening.value,
  };
}

/** Blends the arms from their present motion into a grip whose joint angles are known. */
function blendInto(m: ManipulatorState, jointPositions: Float64Array, durationS: number): void {
  m.goalRad.set(jointPositions.subarray(FIRST_ARM_JOINT, FIRST_ARM_JOINT + ARM_JOINT_COUNT));
  switchSource(m, 'grip', durationS);
}

function aimPosture(m: ManipulatorState, goal: Posture, durationS: number, halfWay: Posture | null = null): void {
  foldBend(m);
  const { posture: p } = m;
  if (halfWay) {
    m.bend.height = halfWay.heightM - (p.height.value + goal.heightM) / 2;
    m.bend.lean = halfWay.leanRad - (p.lean.value + goal.leanRad) / 2;
    m.bend.shiftX = halfWay.shiftXM - (p.shiftX.value + goal.shiftXM) / 2;
    restart(m.way, 0, 1, durationS);
  }
  aim(p.height, goal.heightM, durationS);
  aim(p.lean, goal.leanRad, durationS);
  aim(p.shiftX, goal.shiftXM, durationS);
  aim(p.shiftY, goal.shiftYM, durationS);
  aim(p.waist, goal.waistRad, durationS);
}

/** The best posture in the middle of a way from a grip in the world to one in the base frame; null for a short way. */
function postureHalfWay(from: GripPose, to: BaseGrip, base: PlanarPose): Posture | null {
  const start = gripInBase(base, from);
  if (hypot(to.xM - start.xM, to.yM - start.yM, to.zM - start.zM) < LONG_WAY_M) return null;
  const middle = (a: number, b: number): number => (a + b) / 2;
  return findPosture({
    xM: middle(start.xM, to.xM),
    yM: middle(start.yM, to.yM),
    zM: middle(start.zM, to.zM),
    yawRad: start.yawRad + wrapRad(to.yawRad - start.yawRad) / 2,
    openingM: HALF_WAY_OPENING_M,
  });
}

/** Shortest time in which the palms come to a grip at their peak speed. */
function gripDurationS(body: BodyState, goal: GripPose): number {
  const now = grip(body);
  const distanceM = hypot(now.centre[0] - goal.centre[0], now.centre[1] - goal.centre[1], now.centre[2] - goal.centre[2]);
  const openingS = Math.abs(now.openingM - goal.openingM) / OPENING_MPS;
  const fromElsewhere = body.manipulator.source !== 'grip';
  return Math.max(SHORTEST_S, PEAK_FACTOR * Math.max(distanceM / PALM_MPS, fromElsewhere ? 0 : openingS));
}

function postureDurationS({ posture: p }: ManipulatorState, goal: Posture, halfWay: Posture | null = null): number {
  const pelvisM = Math.max(Math.abs(p.height.value - goal.heightM), Math.abs(p.shiftX.value - goal.shiftXM));
  const trunkRad = Math.max(Math.abs(p.lean.value - goal.leanRad), Math.abs(p.waist.value - goal.waistRad));
  const riseM = Math.abs(p.height.value - goal.heightM);
  const bendM = halfWay ? Math.abs(halfWay.heightM - (p.height.value + goal.heightM) / 2) : 0;
  const smoothS = Math.sqrt((PEAK_ACCELERATION * riseM + BEND_ACCELERATION * bendM) / PELVIS_MPS2);
  return Math.max(smoothS, PEAK_FACTOR * Math.max(pelvisM / PELVIS_MPS, trunkRad / TRUNK_RPS));
}

function armsDurationS(m: ManipulatorState, jointPositions: Float64Array): number {
  let widestRad = 0;
  for (let i = 0; i < ARM_JOINT_COUNT; i += 1) {
    widestRad = Math.max(widestRad, Math.abs((m.armsRad[i] ?? 0) - (jointPositions[FIRST_ARM_JOINT + i] ?? 0)));
  }
  return (PEAK_FACTOR * widestRad) / ARM_JOINT_RPS;
}
