import { JOINT_INDEX } from '../../src/protocol/robots/humanoid.ts';
import type { Ended } from './judge.ts';
import { STOPPED_MPS, STOPPED_RPS } from './judge-ends.ts';
import { planar, type Truth, wrap } from './truth.ts';

/** Checks that the robot does not move after an end, except by a push from outside. */

const isOfArm = (index: number): boolean => index >= JOINT_INDEX.rightArm && index < JOINT_INDEX.headYaw;
const STILL_LEGS_STEPS = 12;
/** The base's radius and half a cube's diagonal, with a small margin. */
const PRESSING_M = 0.33;
/** Arms sway by at most this when the walk ends, and wrists turn by at most this to hold a cube level. */
const JOINT_MOVED_RAD = 0.2;
/** Half of the swing of an arm at a brisk walk, both joints of the shoulder. */
const SWING_RAD = 0.6;
const STEP_S = 1 / 120;
/** A standing robot may measurably move by this. */
const STANDS_M = 0.01;
const STANDS_RAD = 0.02;
/** A moving robot stands half a second later (P7), also from the highest speeds: 1.5 m/s and 1.5 rad/s. */
const STOP_S = 0.5;
const BRAKES = 1.5 / STOP_S;
const STOP_STEPS = STOP_S / STEP_S;
/** Palms that part approach each other by at most rounding and breathing. */
const PARTING_M = 0.002;

/** The world a moment later, without active actions, compared with the world at the end. */
export function judgeRest(ended: Pick<Ended, 'name' | 'reply' | 'window'>, end: Truth, later: readonly Truth[]): string[] {
  if (ended.reply.error?.details?.still_moving) return [];
  const breaches = [...judgeBase(end, later), ...judgeUpper(ended, end, later), ...judgeLegs(end, later)];
  return breaches.map((breach) => `${ended.name} (${ended.reply.status} ${ended.reply.error?.code ?? ''}) ended, but ${breach}`);
}

/**
 * A base without a driver stands still. A cube that touches it may push it while falling between it and a rack. The energy of the
 * push is at most what the cube has lost in that step: walls do no work, and the brake removes the speed again.
 */
function judgeBase(end: Truth, later: readonly Truth[]): string[] {
  const most = { mps: STOPPED_MPS, rps: STOPPED_RPS, metres: STANDS_M, radians: STANDS_RAD };
  let before = end;
  for (const truth of later) {
    const { robot } = truth;
    const givenJ = lostByTouching(before, truth);
    most.mps = pushed(most.mps, STOPPED_MPS, givenJ, robot.massKg);
    most.rps = pushed(most.rps, STOPPED_RPS, givenJ, robot.yawInertiaKgm2);
    most.metres += (most.mps - STOPPED_MPS) * STEP_S;
    most.radians += (most.rps - STOPPED_RPS) * STEP_S;
    const metres = planar(end.robot, robot);
    const radians = Math.abs(wrap(robot.yawRad - end.robot.yawRad));
    if (robot.linearMps > most.mps || robot.yawRateRps > most.rps || metres > most.metres || radians > most.radians)
      return [`the base moves on: ${robot.linearMps.toFixed(3)} m/s, ${metres.toFixed(3)} m, ${radians.toFixed(3)} rad`];
    before = truth;
  }
  return [];
}

/**
 * The highest speed after a step: the rest of the last one after the brake, and the effect of a push. For turning, with an
 * inertia.
 */
function pushed(mostBefore: number, standing: number, givenJ: number, mass: number): number {
  const braked = Math.max(standing, mostBefore - BRAKES * STEP_S);
  return Math.sqrt(braked ** 2 + (2 * givenJ) / mass);
}

/** Returns the energy that cubes that touch the base have lost from one step to the next, joules. */
function lostByTouching(before: Truth, after: Truth): number {
  const ids = new Set([...before.robot.touching, ...after.robot.touching]);
  let lostJ = 0;
  for (const id of ids) {
    const [was, is] = [before.things.get(id), after.things.get(id)];
    if (was && is) lostJ += Math.max(0, was.energyJ - is.energyJ);
  }
  return lostJ;
}

/**
 * Arms that an interrupted walk was swinging come to hang (suite `stops` judges every phase separately); all else must be
 * unchanged. Hands that lost a cube to a blow open, whatever action ends meanwhile: they only part, and rest within the time of a
 * stop.
 */
function judgeUpper(
  { name, reply, window }: Pick<Ended, 'name' | 'reply' | 'window'>,
  end: Truth,
  later: readonly Truth[],
): string[] {
  const mostRad = reply.status === 'failed' ? SWING_RAD : JOINT_MOVED_RAD;
  // Skills of the hands answer when these rest, so only a loss after their end counts.
  const ofHands = name === 'pick_entity' || name === 'place_entity';
  const lost = lossAmong([...(ofHands ? [] : window), end, ...later]);
  const upper = (index: number): boolean => index >= JOINT_INDEX.waist;
  let arms = end;
  let spanM = lost?.robot.palmSpanM ?? 0;
  for (const truth of later) {
    const within = `within ${truth.step - end.step} steps`;
    const opening = lost !== null && truth.step >= lost.step && truth.step <= lost.step + STOP_STEPS;
    if (opening) {
      if (truth.robot.palmSpanM < spanM - PARTING_M) return [`hands that lost a cube close again ${within}`];
      spanM = Math.max(spanM, truth.robot.palmSpanM);
      arms = truth;
    }
    const joint =
      movedJoint(end, truth, (index) => upper(index) && !isOfArm(index), mostRad) ?? movedJoint(arms, truth, isOfArm, mostRad);
    if (joint !== null) return [`joint ${joint} moves on ${within}`];
  }
  return [];
}

/** The first of these that holds fewer cubes than the one before it. */
const lossAmong = (truths: readonly Truth[]): Truth | null =>
  truths.find(({ held }, index) => truths[index - 1]?.held.some((id) => !held.includes(id))) ?? null;

/** The base stands; a foot that was in the air comes down beside the other. */
function judgeLegs(end: Truth, later: readonly Truth[]): string[] {
  const [settled, last] = [later.at(-STILL_LEGS_STEPS), later.at(-1)];
  // A cube that presses against a base, wedged between it and a wall, keeps the feet stepping.
  const pressed = [...end.things.values()].some((thing) => thing.joints === 0 && planar(thing, end.robot) < PRESSING_M);
  const leg = settled && last && !pressed ? movedJoint(settled, last, () => true, JOINT_MOVED_RAD) : null;
  return leg === null ? [] : [`leg joint ${leg} still moves ${later.length} steps later`];
}

/** The first of some joints that differs by more than breathing; null if none does. */
function movedJoint(from: Truth, to: Truth, isOne: (index: number) => boolean, byRad: number): number | null {
  const found = to.robot.jointPositions.findIndex(
    (angle, index) => isOne(index) && Math.abs(angle - (from.robot.jointPositions[index] ?? 0)) > byRad,
  );
  return found < 0 ? null : found;
}
