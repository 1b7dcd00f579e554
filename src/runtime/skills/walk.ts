import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { type PlanarPose, wrapRad } from '../../protocol/wire/geometry.ts';
import { roundLength } from '../../protocol/wire/json.ts';
import * as base from '../../simulation/base.ts';
import * as grasp from '../../simulation/grasp.ts';
import * as follower from '../../simulation/navigation/follower.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import type { Attempt } from '../action-entry.ts';
import { type CarryPlan, carryingClearanceM, carryPlan } from './carry-space.ts';
import { straightenUp } from './posture.ts';
import { SETTLE_STEPS, type SkillContext, settle, steps } from './skill.ts';
import { backOff, createOdometer, followPath, type Odometer, oneStep } from './walk-leg.ts';

export interface WalkGoal extends PlanarPose {
  /** Whether the heading at the goal is part of the goal. */
  finalYaw: boolean;
  /** The goal's name in sentences. */
  label: string;
}

export interface WalkTolerance {
  positionM: number;
  yawRad: number;
}

export interface WalkOptions {
  /** The phase shown during the walk. @default the robot's word for walking */
  phase?: string;
  /**
   * Whether the stance is only on the way to something else: it needs no settle window, because the following skill verifies
   * itself.
   * @default false
   */
  passing?: boolean;
  /** Called in every step: an error ends the walk with it. */
  interrupted?: () => RuntimeError | null;
}

export interface Walked {
  /** Length of the walked path, metres. */
  pathM: number;
  recoveries: number;
}

const STILL = { vx: 0, vy: 0, wz: 0 };
const MOST_RECOVERIES = 4;
/** How many times a blocked path is planned again; beyond that the walk counts as making no progress. */
const MOST_REPLANS = 30;
/** How many times, and how long, the walk waits for an obstacle to leave the only path. */
const MOST_WAITS = 6;
const WAIT_STEPS = steps(0.25);
const SETTLE_WITHIN_STEPS = steps(2);

/** Returns how far the base is from a goal: metres, and radians when the heading counts. */
export function goalError(world: SimWorld, goal: WalkGoal): { positionM: number; yawRad: number } {
  const at = base.pose(world);
  return {
    positionM: portable.hypot(at.x - goal.x, at.y - goal.y),
    yawRad: goal.finalYaw ? Math.abs(wrapRad(at.yawRad - goal.yawRad)) : 0,
  };
}

/** Returns whether the robot stands at a goal, within the tolerance. */
export function isAt(world: SimWorld, goal: WalkGoal, tolerance: WalkTolerance): boolean {
  const { positionM, yawRad } = goalError(world, goal);
  return positionM <= tolerance.positionM && yawRad <= tolerance.yawRad;
}

/** Returns the caller's error for a planning failure, or null when there is a path. */
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
 * Walks to a goal around the obstacles and stands still there (promise P10). A blocked robot backs off and plans again; each such
 * recovery is counted. If the robot already rests at the goal, the walk ends at once and nothing moves.
 * With a cube in its hands the robot turns only where the cube has room: it steps back from narrow places, and goes straight into
 * them.
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

/** Plans and follows paths until the goal is reached or proves unreachable. */
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
  let [recoveries, replans, waits] = [0, 0, 0];
  /** The thing that blocked the previously planned path. */
  let inTheWay: string | null = null;
  let totalM = 0;
  for (;;) {
    if (isAt(world, goal, tolerance)) {
      ctx.phase('settling');
      base.setCommand(world, STILL);
      const stands = () => base.isStopped(world) && isAt(world, goal, tolerance);
      if (core.stillSteps >= settleSteps || (yield* settle(stands, SETTLE_WITHIN_STEPS, settleSteps))) {
        return { ok: true, value: { pathM: odometer.pathM, recoveries: recoveries + replans } };
      }
      recoveries += 1;
      if (recoveries > MOST_RECOVERIES) return { ok: false, error: missed(world, goal, tolerance) };
    }
    const plan = planWay(world, goal);
    if (!plan.ok) {
      if (inTheWay === null) return plan;
      if (waits >= MOST_WAITS) return { ok: false, error: endedOnTheWay(world, plan.error, goal, inTheWay, odometer.pathM) };
      waits += 1;
      ctx.phase('waiting for a free way');
      base.setCommand(world, STILL);
      for (let step = 0; step < WAIT_STEPS; step += 1) yield* oneStep(odometer);
      continue;
    }
    totalM = Math.max(totalM, odometer.pathM + plan.way.way.lengthM);
    core.overlay = { ...core.overlay, path: plan.way.way.points.map(({ x, y }) => [x, y] as const), goal };
    ctx.phase(options.phase ?? world.robot.model.words.going);
    const leg = yield* followPath(ctx, plan.way, goal, odometer, totalM, options.interrupted);
    if (leg.error) return { ok: false, error: leg.error };
    if (leg.arrived && isAt(world, goal, tolerance)) continue;
    if (leg.isObstructed && replans < MOST_REPLANS) {
      replans += 1;
      inTheWay = leg.blocker;
      continue;
    }
    recoveries += 1;
    if (recoveries > MOST_RECOVERIES) {
      if (leg.arrived) return { ok: false, error: missed(world, goal, tolerance) };
      const { remainingM, blocker } = leg;
      const tried = recoveries - 1 + replans;
      const facts = { goal: goal.label, progressM: odometer.pathM, remainingM, blocker, recoveries: tried };
      return { ok: false, error: errors.navigationStuck(facts) };
    }
    ctx.phase('finding another way');
    yield* backOff(world, odometer);
  }
}

type PlannedWay = { ok: true; way: follower.Follower } | { ok: false; error: RuntimeError };

/** Returns a path from the base's position, with headings that leave room for the load. */
function planWay(world: SimWorld, goal: WalkGoal): PlannedWay {
  const held = grasp.heldEntityId(world);
  const plan = planner.planPath(world, base.pose(world), goal, held === null ? {} : { clearanceM: carryingClearanceM(world) });
  if (plan.kind !== 'path') return { ok: false, error: planningError(world, plan, goal) ?? errors.noPath(goal.label, null) };
  if (held === null) return { ok: true, way: follower.createFollower(plan.points, goal) };
  const carrying = carryPlan(world, plan.points, goal);
  if (!carrying.ok) return { ok: false, error: noRoomToCarry(world, goal, held, carrying) };
  return { ok: true, way: follower.createFollower(carrying.points, goal, carrying.headings) };
}

function noRoomToCarry(
  world: SimWorld,
  goal: WalkGoal,
  held: string,
  { blocker, nearest }: CarryPlan & { ok: false },
): RuntimeError {
  const label = `${goal.label} with ${held} in its ${world.robot.model.words.hands}`;
  return blocker === null ? errors.noPath(label, nearest) : errors.goalOccupied(label, blocker, nearest);
}

/** Extends a planning failure of a walk that has begun: how far it came, what remains, and what blocked it (promise P10). */
function endedOnTheWay(world: SimWorld, error: RuntimeError, goal: WalkGoal, blocker: string, progressM: number): RuntimeError {
  const progress = { progress_m: roundLength(progressM), remaining_m: roundLength(goalError(world, goal).positionM) };
  return { ...error, details: { blocker, ...error.details, ...progress } };
}

function missed(world: SimWorld, goal: WalkGoal, tolerance: WalkTolerance): RuntimeError {
  const { positionM, yawRad } = goalError(world, goal);
  return errors.notAtGoal({ positionErrorM: positionM, yawErrorRad: yawRad, toleranceM: tolerance.positionM });
}

/** Turns on the spot to a heading in the world, radians. */
export function turnTo(ctx: SkillContext, yawRad: number): Attempt<Walked> {
  const at = base.pose(ctx.core.world);
  const goal: WalkGoal = { x: at.x, y: at.y, yawRad, finalYaw: true, label: 'the heading' };
  return walkTo(ctx, goal, { positionM: 0.05, yawRad: (2 * Math.PI) / 180 }, { phase: 'turning to it', passing: true });
}
