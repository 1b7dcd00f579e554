import * as portable from '../../common/portable-math.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { type PlanarPose, wrapRad } from '../../protocol/wire/geometry.ts';
import { STEP_S } from '../../protocol/wire/limits.ts';
import * as base from '../../simulation/base.ts';
import * as follower from '../../simulation/navigation/follower.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import * as recovery from '../../simulation/navigation/recovery.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { holdingBack } from './blocking.ts';
import { type SkillContext, steps, until } from './skill.ts';

/** One leg of a walk: following a planned way until its end, until something gets into it, or until the base is stuck. */

const STILL = { vx: 0, vy: 0, wz: 0 };
/** The base is stuck when it has neither moved nor turned by this much for this long, or has come no nearer for longer. */
const MOVED_M = 0.04;
const TURNED_RAD = 0.08;
const STANDING_STEPS = steps(1.2);
const PATIENCE_STEPS = steps(6);
/** The base is blocked when it presses against something for this long. */
const PRESSED_STEPS = steps(0.5);
const NEARER_M = 0.02;
const BACK_OFF_STEPS = steps(0.8);
const SETTLE_WITHIN_STEPS = steps(2);
/** How often the rest of the way is checked for being free. */
const LOOK_STEPS = steps(0.1);

export interface Leg {
  arrived: boolean;
  error: RuntimeError | null;
  /** Whether something has got into the rest of the way; `blocker` names it. */
  isObstructed: boolean;
  blocker: string | null;
  remainingM: number;
}

/** The distance that the base has covered in total. */
export interface Odometer {
  pathM: number;
  read(): void;
}

/** Starts measuring from the base's present place. */
export function createOdometer(world: SimWorld): Odometer {
  let last = base.pose(world);
  const odometer: Odometer = {
    pathM: 0,
    read() {
      const now = base.pose(world);
      odometer.pathM += portable.hypot(now.x - last.x, now.y - last.y);
      last = now;
    },
  };
  return odometer;
}

/** Lets a step pass and measures it. */
export function* oneStep(odometer: Odometer): Generator<void, void, void> {
  yield;
  odometer.read();
}

/** Follows one way until its end, until something gets into it, or until the base gets no nearer. */
export function* followPath(
  ctx: SkillContext,
  way: follower.Follower,
  goal: PlanarPose,
  odometer: Odometer,
  totalM: number,
  interrupted?: () => RuntimeError | null,
): Generator<void, Leg, void> {
  const { core } = ctx;
  const { world } = core;
  let best = Number.POSITIVE_INFINITY;
  let sinceNearer = 0;
  let standing = 0;
  let anchor = base.pose(world);
  let pressed = 0;
  let blocker: string | null = null;
  const ended = (facts: Partial<Leg>, remainingM: number): Leg => ({
    arrived: false,
    error: null,
    isObstructed: false,
    blocker,
    remainingM,
    ...facts,
  });
  for (let step = 1; ; step += 1) {
    const at = base.pose(world);
    const remainingM = follower.remainingM(way, at);
    core.nav = { goal, remainingM };
    ctx.progress(Math.min(totalM, odometer.pathM), totalM, 'm');
    if (follower.arrived(way, at, base.measuredVelocity(world))) {
      base.setCommand(world, STILL);
      yield* until(() => base.isStopped(world), SETTLE_WITHIN_STEPS);
      return ended({ arrived: true, blocker: null }, remainingM);
    }
    if (step % LOOK_STEPS === 0) {
      const obstructor = planner.obstructorOf(world, follower.restOf(way, at));
      if (obstructor !== null) return ended({ isObstructed: true, blocker: obstructor }, remainingM);
    }
    base.setCommand(world, follower.followerCommand(way, at, base.measuredVelocity(world), STEP_S));
    yield* oneStep(odometer);
    const error = interrupted?.() ?? null;
    if (error) return ended({ error }, remainingM);
    sinceNearer = remainingM < best - NEARER_M ? 0 : sinceNearer + 1;
    if (sinceNearer === 0) best = remainingM;
    standing = hasMoved(anchor, at) ? 0 : standing + 1;
    if (standing === 0) anchor = at;
    const touched = holdingBack(world);
    pressed = touched !== null && isHeld(world) ? pressed + 1 : 0;
    if (touched !== null) blocker = touched;
    if (pressed >= PRESSED_STEPS || standing >= STANDING_STEPS || sinceNearer >= PATIENCE_STEPS) return ended({}, remainingM);
  }
}

/** Returns whether the base stands although it is commanded to move. */
function isHeld(world: SimWorld): boolean {
  const wanted = base.command(world);
  const actual = base.measuredVelocity(world);
  return (
    portable.hypot(wanted.vx, wanted.vy) > 0.05 &&
    portable.hypot(actual.vx, actual.vy) < 0.3 * portable.hypot(wanted.vx, wanted.vy)
  );
}

const hasMoved = (from: PlanarPose, to: PlanarPose): boolean =>
  portable.hypot(to.x - from.x, to.y - from.y) > MOVED_M || Math.abs(wrapRad(to.yawRad - from.yawRad)) > TURNED_RAD;

/** Moves a short way away from everything the base touches, then stops. */
export function* backOff(world: SimWorld, odometer: Odometer): Generator<void, void, void> {
  for (let step = 0; step < BACK_OFF_STEPS; step += 1) {
    const away = recovery.retreatVelocity(world);
    if (away) base.setCommand(world, away);
    else if (step === 0) break;
    yield* oneStep(odometer);
  }
  base.setCommand(world, STILL);
  yield* until(() => base.isStopped(world), SETTLE_WITHIN_STEPS);
}
