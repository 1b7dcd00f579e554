import type { RuntimeError } from '../../protocol/error-codes.ts';
import * as errors from '../../protocol/error-texts.ts';
import { type PlanarPose, wrapRad } from '../../protocol/geometry.ts';
import { STEP_S } from '../../protocol/limits.ts';
import * as portable from '../../protocol/portable-math.ts';
import * as base from '../../simulation/base.ts';
import * as grasp from '../../simulation/grasp.ts';
import * as follower from '../../simulation/navigation/follower.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import * as recovery from '../../simulation/navigation/recovery.ts';
import type { SimWorld } from '../../simulation/world.ts';
import type { Attempt } from '../action-entry.ts';
import { holdingBack } from './blocking.ts';
import { CARRYING_CLEARANCE_M, type CarryPlan, carryPlan } from './carry-space.ts';
import { straightenUp } from './posture.ts';
import { SETTLE_STEPS, type SkillContext, settle, steps, until } from './skill.ts';

export interface WalkGoal extends PlanarPose {
  /** Is the heading at the goal part of the goal? */
  finalYaw: boolean;
  /** How sentences call it. */
  label: string;
}

export interface WalkTolerance {
  positionM: number;
  yawRad: number;
}

export interface WalkOptions {
  /** What people are told meanwhile. @default 'walking' */
  phase?: string;
  /** A stance on the way to something else needs no settle window, for what follows is verified itself. @default false */
  passing?: boolean;
  /** Looked at in every step: an error ends the walk with it. */
  interrupted?: () => RuntimeError | null;
}

export interface Walked {
  /** Length of the way gone, metres. */
  pathM: number;
  recoveries: number;
}

const STILL = { vx: 0, vy: 0, wz: 0 };
const MOST_RECOVERIES = 4;
/** Neither gone nor turned by this much for so long, or no nearer for longer, is being stuck. */
const MOVED_M = 0.04;
const TURNED_RAD = 0.08;
const STANDING_STEPS = steps(1.2);
const PATIENCE_STEPS = steps(6);
/** Pressing against something for this long is being blocked. */
const PRESSED_STEPS = steps(0.5);
const NEARER_M = 0.02;
const BACK_OFF_STEPS = steps(0.8);
const SETTLE_WITHIN_STEPS = steps(2);

/** How far the base is from a goal: metres, and radians when the heading counts. */
export function goalError(world: SimWorld, goal: WalkGoal): { positionM: number; yawRad: number } {
  const at = base.pose(world);
  return {
    positionM: portable.hypot(at.x - goal.x, at.y - goal.y),
    yawRad: goal.finalYaw ? Math.abs(wrapRad(at.yawRad - goal.yawRad)) : 0,
  };
}

export function isAt(world: SimWorld, goal: WalkGoal, tolerance: WalkTolerance): boolean {
  const { positionM, yawRad } = goalError(world, goal);
  return positionM <= tolerance.positionM && yawRad <= tolerance.yawRad;
}

/** A planning failure as the error it is for a caller, or null when there is a path. */
export function planningError(world: SimWorld, plan: ReturnType<typeof planner.planPath>, goal: WalkGoal): RuntimeError | null {
  switch (plan.kind) {
    case 'path':
      return null;
    case 'goal_outside':
      return errors.goalOutside(goal.x, goal.y, world.scene.layout.bounds);
    case 'goal_occupied':
      return errors.goalOccupied(goal.label, plan.blocker, plan.nearest);
    case 'no_path':
      return errors.noPath(goal.label, plan.nearest);
  }
}

/**
 * Walks to a goal round the obstacles and stands still there (promise P10). Blocked, it backs off and plans anew; each such recovery is
 * counted. A goal that is already met, with the robot at rest, ends at once and nothing moves.
 * With a cube in its hands it turns only where the cube has room: it steps back from narrow places, and goes straight into them.
 */
export function* walkTo(ctx: SkillContext, goal: WalkGoal, tolerance: WalkTolerance, options: WalkOptions = {}): Attempt<Walked> {
  const { core } = ctx;
  const { world } = core;
  const odometer = createOdometer(world);
  try {
    if (!isAt(world, goal, tolerance)) {
      yield* straightenUpFirst(ctx);
    }
    return yield* planAndFollow(ctx, goal, tolerance, options, odometer);
  } finally {
    base.setCommand(world, STILL);
    core.nav = null;
    core.overlay = { ...core.overlay, path: [], goal: null };
  }
}

function* straightenUpFirst(ctx: SkillContext): Generator<void, void, void> {
  if (!ctx.core.armsAstray) return;
  ctx.phase('straightening up');
  yield* straightenUp(ctx);
}

/** Plans and follows, again and again if need be, until the goal is reached or cannot be. */
function* planAndFollow(
  ctx: SkillContext,
  goal: WalkGoal,
  tolerance: WalkTolerance,
  options: WalkOptions,
  odometer: Odometer,
): Attempt<Walked> {
  const { core } = ctx;
  const { world } = core;
  const settleSteps = options.passing ? 0 : SETTLE_STEPS;
  const fromM = odometer.pathM;
  let recoveries = 0;
  let totalM = 0;
  for (;;) {
    if (isAt(world, goal, tolerance)) {
      ctx.phase('settling');
      base.setCommand(world, STILL);
      const stands = () => base.isStopped(world) && isAt(world, goal, tolerance);
      if (core.stillSteps >= settleSteps || (yield* settle(stands, SETTLE_WITHIN_STEPS, settleSteps))) {
        return { ok: true, value: { pathM: odometer.pathM, recoveries } };
      }
      recoveries += 1;
      if (recoveries > MOST_RECOVERIES) return { ok: false, error: missed(world, goal, tolerance) };
    }
    const held = grasp.heldEntityId(world);
    const plan = planner.planPath(world, base.pose(world), goal, held === null ? {} : { clearanceM: CARRYING_CLEARANCE_M });
    if (plan.kind !== 'path') {
      const failure = planningError(world, plan, goal);
      if (failure) return { ok: false, error: failure };
      continue;
    }
    const carrying = held === null ? null : carryPlan(world, plan.points, goal);
    if (carrying?.ok === false) return { ok: false, error: noRoomToCarry(goal, held, carrying) };
    const way = follower.createFollower(carrying?.points ?? plan.points, goal, carrying?.headings ?? null);
    totalM = Math.max(totalM, odometer.pathM + way.way.lengthM);
    core.overlay = { ...core.overlay, path: way.way.points.map(({ x, y }) => [x, y] as const), goal };
    ctx.phase(options.phase ?? 'walking');
    const leg = yield* followPath(ctx, way, goal, odometer, totalM, options);
    if (leg.error) return { ok: false, error: leg.error };
    if (leg.arrived && isAt(world, goal, tolerance)) continue;
    recoveries += 1;
    if (recoveries > MOST_RECOVERIES) {
      if (leg.arrived) return { ok: false, error: missed(world, goal, tolerance) };
      const { remainingM, blocker } = leg;
      const facts = { goal: goal.label, progressM: odometer.pathM - fromM, remainingM, blocker, recoveries: recoveries - 1 };
      return { ok: false, error: errors.navigationStuck(facts) };
    }
    ctx.phase('finding another way');
    yield* backOff(world);
  }
}

function noRoomToCarry(goal: WalkGoal, held: string | null, { blocker, nearest }: CarryPlan & { ok: false }): RuntimeError {
  const label = `${goal.label} with ${held} in its hands`;
  return blocker === null ? errors.noPath(label, nearest) : errors.goalOccupied(label, blocker, nearest);
}

interface Leg {
  arrived: boolean;
  error: RuntimeError | null;
  blocker: string | null;
  remainingM: number;
}

function missed(world: SimWorld, goal: WalkGoal, tolerance: WalkTolerance): RuntimeError {
  const { positionM, yawRad } = goalError(world, goal);
  return errors.notAtGoal({ positionErrorM: positionM, yawErrorRad: yawRad, toleranceM: tolerance.positionM });
}

/** Follows one path until its end, or until it gets no nearer. */
function* followPath(
  ctx: SkillContext,
  way: follower.Follower,
  goal: WalkGoal,
  odometer: Odometer,
  totalM: number,
  { interrupted }: WalkOptions,
): Generator<void, Leg, void> {
  const { core } = ctx;
  const { world } = core;
  let best = Number.POSITIVE_INFINITY;
  let sinceNearer = 0;
  let standing = 0;
  let anchor = base.pose(world);
  let pressed = 0;
  let blocker: string | null = null;
  for (;;) {
    const at = base.pose(world);
    const remainingM = follower.remainingM(way, at);
    core.nav = { goal, remainingM };
    ctx.progress(Math.min(totalM, odometer.pathM), totalM, 'm');
    if (follower.arrived(way, at, base.measuredVelocity(world))) {
      base.setCommand(world, STILL);
      yield* until(() => base.isStopped(world), SETTLE_WITHIN_STEPS);
      return { arrived: true, error: null, blocker: null, remainingM };
    }
    base.setCommand(world, follower.followerCommand(way, at, base.measuredVelocity(world), STEP_S));
    yield;
    odometer.read();
    const error = interrupted?.() ?? null;
    if (error) return { arrived: false, error, blocker, remainingM };
    sinceNearer = remainingM < best - NEARER_M ? 0 : sinceNearer + 1;
    if (sinceNearer === 0) best = remainingM;
    standing = hasMoved(anchor, at) ? 0 : standing + 1;
    if (standing === 0) anchor = at;
    const touched = holdingBack(world);
    pressed = touched !== null && isHeld(world) ? pressed + 1 : 0;
    if (touched !== null) blocker = touched;
    if (pressed >= PRESSED_STEPS || standing >= STANDING_STEPS || sinceNearer >= PATIENCE_STEPS) {
      return { arrived: false, error: null, blocker, remainingM };
    }
  }
}

/** Does the base stand although it is told to move? */
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

/** A short way away from everything the base touches, then a stop. */
function* backOff(world: SimWorld): Generator<void, void, void> {
  for (let step = 0; step < BACK_OFF_STEPS; step += 1) {
    const away = recovery.retreatVelocity(world);
    if (away) base.setCommand(world, away);
    else if (step === 0) break;
    yield;
  }
  base.setCommand(world, STILL);
  yield* until(() => base.isStopped(world), SETTLE_WITHIN_STEPS);
}

interface Odometer {
  pathM: number;
  read(): void;
}

function createOdometer(world: SimWorld): Odometer {
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

/** Turns on the spot to a heading in the world, radians. */
export function turnTo(ctx: SkillContext, yawRad: number): Attempt<Walked> {
  const at = base.pose(ctx.core.world);
  const goal: WalkGoal = { x: at.x, y: at.y, yawRad, finalYaw: true, label: 'the heading' };
  return walkTo(ctx, goal, { positionM: 0.05, yawRad: (2 * Math.PI) / 180 }, { phase: 'turning to it', passing: true });
}
