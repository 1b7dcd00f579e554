import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import { degToRad, type PlanarPose, radToDeg, type Vec3, wrapRad } from '../../protocol/wire/geometry.ts';
import { GO_TO_TOLERANCE_M, GO_TO_TOLERANCE_YAW_DEG, REACH_M } from '../../protocol/wire/limits.ts';
import { CUBE_EDGE_M, type Pad, ROBOT_ENTITY_ID } from '../../protocol/wire/scene.ts';
import type { SkillInput } from '../../protocol/wire/skills.ts';
import * as base from '../../simulation/base.ts';
import * as grasp from '../../simulation/grasp.ts';
import * as planner from '../../simulation/navigation/planner.ts';
import * as scene from '../../simulation/scene.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import * as things from '../../simulation/things.ts';
import type { Attempt, SkillRun } from '../action-entry.ts';
import { entityPoint, unknownEntity } from '../entities.ts';
import { basePose } from '../poses.ts';
import { faceYaws, lieOfView } from './grips.ts';
import { carriedBlocker } from './hand-room.ts';
import { headingOf } from './headings.ts';
import type { SkillContext, SkillModule } from './skill.ts';
import { TURN_COST_M, uprightYaw } from './stances.ts';
import { goalError, isAt, planningError, type Walked, type WalkGoal, type WalkTolerance, walkTo } from './walk.ts';

const YAW_TOLERANCE_RAD = degToRad(GO_TO_TOLERANCE_YAW_DEG);
/** Metres from the middle of a cube to the robot before it. */
const NEAR_STANCE_M = 0.46;
/** Places around a thing, for when no regular place serves. */
const RING_RADII_M = [0.5, 0.6, 0.75, 0.9, 1.1];
const RING_ANGLES = 24;
/** The robot follows an entity that has moved this far during the approach, at most this many times. */
const FOLLOWED_FROM_M = 0.06;
const MOST_FOLLOWS = 4;

export const goTo: SkillModule<'go_to'> = {
  check(core, { target }) {
    if (target.kind === 'pose') return null;
    if (target.entity_id === ROBOT_ENTITY_ID) {
      return errors.invalidInput('"input.target.entity_id" must name something other than the robot itself.', {
        path: 'input.target.entity_id',
      });
    }
    return unknownEntity(core.world, target.entity_id, ['cube', 'object', 'pad']);
  },
  run: go,
};

function* go(ctx: SkillContext, { target, tolerance_m: toleranceM }: SkillInput<'go_to'>): SkillRun {
  const { core } = ctx;
  const tolerance = { positionM: toleranceM ?? GO_TO_TOLERANCE_M, yawRad: YAW_TOLERANCE_RAD };
  if (target.kind === 'entity') core.overlay = { ...core.overlay, targetEntityId: target.entity_id };
  try {
    const arrived =
      target.kind === 'pose' ? yield* goToPose(ctx, target.pose, tolerance) : yield* goBefore(ctx, target.entity_id, tolerance);
    if (!arrived.ok) return arrived;
    const { goal, walked } = arrived.value;
    const { positionM, yawRad } = goalError(core.world, goal);
    return {
      ok: true,
      result: {
        pose: basePose(core.world, base.pose(core.world)),
        position_error_m: positionM,
        yaw_error_deg: radToDeg(yawRad),
        path_m: walked.pathM,
        recoveries: walked.recoveries,
      },
    };
  } finally {
    core.overlay = { ...core.overlay, targetEntityId: null };
  }
}

interface Arrived {
  goal: WalkGoal;
  walked: Walked;
}

function* goToPose(ctx: SkillContext, pose: Parameters<typeof headingOf>[0], tolerance: WalkTolerance): Attempt<Arrived> {
  const goal = poseGoal(pose);
  const walked = yield* walkTo(ctx, goal, tolerance);
  return walked.ok ? { ok: true, value: { goal, walked: walked.value } } : walked;
}

/** Walks to a place before an entity, and follows it if it was moved in the meantime, by a fixture or otherwise. */
function* goBefore(ctx: SkillContext, entityId: string, tolerance: WalkTolerance): Attempt<Arrived> {
  const { world } = ctx.core;
  const sum: Walked = { pathM: 0, recoveries: 0 };
  for (let walk = 1; ; walk += 1) {
    const goal = entityGoal(world, entityId, tolerance);
    if (!goal.ok) return goal;
    const at = entityPoint(world, entityId);
    const walked = yield* walkTo(ctx, goal.goal, tolerance);
    if (!walked.ok) return walked;
    sum.pathM += walked.value.pathM;
    sum.recoveries += walked.value.recoveries;
    if (isStillAt(world, entityId, at)) return { ok: true, value: { goal: goal.goal, walked: sum } };
    if (walk > MOST_FOLLOWS) return { ok: false, error: errors.targetMovedOn(entityId) };
  }
}

function isStillAt(world: SimWorld, entityId: string, at: Vec3 | null): boolean {
  const now = entityPoint(world, entityId);
  if (!at || !now || things.find(world, entityId)?.carried) return true;
  return portable.hypot(now[0] - at[0], now[1] - at[1]) < FOLLOWED_FROM_M;
}

type Goal = { ok: true; goal: WalkGoal } | { ok: false; error: ReturnType<typeof errors.noPath> };

function poseGoal(pose: Parameters<typeof headingOf>[0]): WalkGoal {
  const yawRad = headingOf(pose);
  const [x, y] = pose.position;
  const label = `(${x.toFixed(2)}, ${y.toFixed(2)})`;
  return { x, y, yawRad: yawRad ?? 0, finalYaw: yawRad !== null, label };
}

/** Returns the best place to stand before an entity: within reach of it and facing it. */
function entityGoal(world: SimWorld, entityId: string, tolerance: WalkTolerance): Goal {
  const at = base.pose(world);
  const asGoal = (pose: PlanarPose): WalkGoal => ({ ...pose, finalYaw: true, label: entityId });
  if (things.find(world, entityId)?.carried) return { ok: true, goal: asGoal(at) };
  const regular = stancesBefore(world, entityId).map(asGoal);
  const there = regular.find((goal) => isAt(world, goal, tolerance));
  if (there) return { ok: true, goal: there };
  const goal = nearest(world, regular) ?? nearest(world, ringAround(world, entityId).map(asGoal));
  if (goal) return { ok: true, goal };
  const point = entityPoint(world, entityId) ?? [at.x, at.y, 0];
  const wanted = asGoal({ x: point[0], y: point[1], yawRad: 0 });
  const plan = planner.planPath(world, at, wanted);
  return { ok: false, error: planningError(world, plan, wanted) ?? errors.noPath(entityId, null) };
}

/** Returns the goal that takes the least walking and turning; null when none can be reached. */
function nearest(world: SimWorld, goals: readonly WalkGoal[]): WalkGoal | null {
  const at = base.pose(world);
  const carries = grasp.heldEntityId(world) !== null;
  const candidates = goals.map((goal) => {
    const turnCostM = TURN_COST_M * Math.abs(wrapRad(goal.yawRad - at.yawRad));
    return { goal, turnCostM, leastCostM: portable.hypot(goal.x - at.x, goal.y - at.y) + turnCostM };
  });
  candidates.sort((a, b) => a.leastCostM - b.leastCostM);
  let best: { goal: WalkGoal; costM: number } | null = null;
  for (const { goal, turnCostM, leastCostM } of candidates) {
    if (best && leastCostM >= best.costM) break;
    if (!planner.standable(world, goal).ok) continue;
    if (carries && carriedBlocker(world, goal) !== null) continue;
    const lengthM = planner.wayLengthM(world, at, goal);
    if (lengthM === null || (best && lengthM + turnCostM >= best.costM)) continue;
    best = { goal, costM: lengthM + turnCostM };
  }
  return best?.goal ?? null;
}

function stancesBefore(world: SimWorld, entityId: string): PlanarPose[] {
  const pad = scene.padOf(world, entityId);
  if (pad) return stancesBeforePad(world, pad);
  const thing = things.find(world, entityId);
  if (!thing) return [];
  if (thing.isCube) return facing(thing.position, faceYaws(uprightYaw(thing.orientation) ?? 0), NEAR_STANCE_M);
  const lie = lieOfView(thing);
  if (!lie) return [];
  // As near to the side that it faces as to a cube's.
  return faceYaws(lie.yawRad).flatMap((yaw, quarter) => {
    const deepM = quarter % 2 === 0 ? lie.alongM : lie.acrossM;
    return facing(thing.position, [yaw], NEAR_STANCE_M + Math.max(0, (deepM - CUBE_EDGE_M) / 2));
  });
}

const facing = ([x, y]: readonly number[], yaws: readonly number[], distanceM: number): PlanarPose[] =>
  yaws.map((yawRad) => ({
    x: (x ?? 0) - distanceM * portable.cos(yawRad),
    y: (y ?? 0) - distanceM * portable.sin(yawRad),
    yawRad,
  }));

/** Returns the stances that the scene defines for approaching this pad. */
function stancesBeforePad(world: SimWorld, pad: Pad): PlanarPose[] {
  const approach = scene.approachOf(world, pad.pad_id);
  switch (approach?.kind) {
    case undefined:
      return [];
    case 'four-sides':
      return facing(pad.position, faceYaws(0), approach.standoffM);
    case 'beside':
      return beside(world, pad, approach);
  }
}

/**
 * Returns stances on both sides of a long pad: level with the robot, as far as the pad extends, and level with each of its slots.
 */
function beside(world: SimWorld, pad: Pad, { along, standoffM }: { along: 'x' | 'y'; standoffM: number }): PlanarPose[] {
  const axis = along === 'x' ? 0 : 1;
  const half = pad.size[axis] / 2;
  const level = Math.min(Math.max(base.pose(world)[along], pad.position[axis] - half), pad.position[axis] + half);
  const [x, y] = pad.position;
  const yaws = along === 'x' ? [Math.PI / 2, -Math.PI / 2] : [0, Math.PI];
  return [level, ...scene.slots(world, pad.pad_id).map(({ position }) => position[axis])].flatMap((there) =>
    facing(along === 'x' ? [there, y] : [x, there], yaws, standoffM),
  );
}

/** Returns places all around an entity, within reach and facing it. */
function ringAround(world: SimWorld, entityId: string): PlanarPose[] {
  const point = entityPoint(world, entityId);
  if (!point) return [];
  const angles = Array.from({ length: RING_ANGLES }, (_, i) => wrapRad((2 * Math.PI * i) / RING_ANGLES));
  return RING_RADII_M.filter((radiusM) => radiusM <= REACH_M).flatMap((radiusM) => facing(point, angles, radiusM));
}
