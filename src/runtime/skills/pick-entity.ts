import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import { THING_KINDS } from '../../protocol/wire/entity-kind.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { degToRad } from '../../protocol/wire/geometry.ts';
import { CARRY_CAPACITY, GO_TO_TOLERANCE_M, GO_TO_TOLERANCE_YAW_DEG, REACH_M } from '../../protocol/wire/limits.ts';
import type { SkillInput } from '../../protocol/wire/skills.ts';
import * as base from '../../simulation/base.ts';
import * as grasp from '../../simulation/grasp.ts';
import { heldRoom, heldWidthM, takenOpeningM } from '../../simulation/hold.ts';
import type { Hold, SimWorld } from '../../simulation/sim-world.ts';
import * as things from '../../simulation/things.ts';
import type { Attempt, SkillRun } from '../action-entry.ts';
import type { RuntimeCore } from '../core.ts';
import { noteDropped } from '../dropped.ts';
import { distanceToBase, kindOf, resolveAlias, unknownEntity } from '../entities.ts';
import { mayDrawClose } from './draw-close.ts';
import { faceYaws, type GripWay, gripWays, lieOfView, notHeldBecause, waysOfCube } from './grips.ts';
import { carrying, EMPTY_HANDS, isBulkyNear, isInSwing, passingHeight, slowerBy } from './hand-room.ts';
import { aboveM, closedM, closeOn, gripAt, gripOn, handsTo, holdWhile, LIFT_M, openM } from './hands.ts';
import { tooFlatBecause } from './least-height.ts';
import { loadKg, thingOn } from './piles.ts';
import { armsDone, drawUp, leavingFor, straightenUp, withdraw } from './posture.ts';
import { SETTLE_STEPS, type SkillContext, type SkillModule, settle, steps, until } from './skill.ts';
import { type GripsAt, palmsFit, type Stance, standingStance, uprightYaw, WALKED_OFF_M, walkingStance } from './stances.ts';
import { walkTo } from './walk.ts';

const TRIES = 2;
const REST_WITHIN_STEPS = steps(4);
const CARRY_WITHIN_STEPS = steps(2);
/** Slip below which a held thing is held firmly; with a little more slip it is lost. */
const FIRM_SLIP_M = 0.04;
/** Palms lie on a thing that they hold, a hair within it. */
const LIES_ON_M = 0.002;
const LOOSER_BY_M = 0.01;
const LOOSEN_S = 0.1;
const STANCE_TOLERANCE = { positionM: GO_TO_TOLERANCE_M, yawRad: degToRad(GO_TO_TOLERANCE_YAW_DEG) };
/** Hands that take what is narrow or lies low reach no farther than they must. */
const EXACT_TOLERANCE = { ...STANCE_TOLERANCE, positionM: WALKED_OFF_M };
/** Returns how exactly a robot comes to stand where it takes or puts down a thing. */
export const stanceTolerance = ({ way }: Stance): typeof STANCE_TOLERANCE => (way.isCube ? STANCE_TOLERANCE : EXACT_TOLERANCE);

export const pickEntity: SkillModule<'pick_entity'> = {
  check(core, { target }) {
    const entityId = resolveAlias(core.world, target.entity_id);
    return entityId === null ? errors.noCubeLeft() : unknownEntity(core.world, entityId, THING_KINDS);
  },
  run: pick,
};

function* pick(ctx: SkillContext, { target }: SkillInput<'pick_entity'>): SkillRun {
  const { core } = ctx;
  const entityId = resolveAlias(core.world, target.entity_id) ?? target.entity_id;
  const { words } = core.world.robot.model;
  const refusal = refuse(core, entityId);
  if (refusal) return { ok: false, error: refusal };
  core.overlay = { ...core.overlay, targetEntityId: entityId };
  try {
    yield* straightenUp(ctx);
    let missed = 'it did not come to rest';
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      if (!(yield* until(() => things.find(core.world, entityId)?.atRest === true, REST_WITHIN_STEPS))) continue;
      const approached = yield* approach(ctx, entityId);
      if (!approached.ok) return approached;
      core.armsAstray = true;
      const taken = yield* take(ctx, entityId, approached.value);
      if (taken.kind === 'held') return yield* bringBack(ctx, entityId, target.entity_id);
      missed = taken.why;
      core.world.robot.head.setGaze(core.world.body, null);
      ctx.phase(`opening ${words.hands}`);
      const thing = things.find(core.world, entityId);
      yield* withdraw(
        ctx,
        thing ? leavingFor(core.world, thing, core.world.robot.hands.grip(core.world.body).centre[2]) : undefined,
      );
      core.armsAstray = !(yield* armsDone(ctx));
    }
    return { ok: false, error: errors.graspMissed(entityId, missed, words) };
  } finally {
    core.world.robot.head.setGaze(core.world.body, null);
    core.overlay = { ...core.overlay, targetEntityId: null };
  }
}

/** Returns the reason why it cannot be picked at all, if any. */
function refuse({ world }: RuntimeCore, entityId: string): RuntimeError | null {
  const kind = kindOf(world, entityId);
  if (kind !== 'cube' && kind !== 'object') return errors.notGraspable(entityId, kind ?? 'thing', world.robot.model.words);
  const held = grasp.heldEntityId(world);
  if (held !== null) return errors.handsFull(held);
  const thing = things.find(world, entityId);
  if (!thing) return errors.unknownEntity(entityId, []);
  const distanceM = distanceToBase(world, thing.position);
  if (distanceM > REACH_M) return errors.cubeTooFar(entityId, distanceM);
  const notHeld = notHeldBecause(world.robot.gripper, thing, loadKg(world, thing));
  return notHeld && errors.cannotBeHeld(entityId, notHeld.reason, notHeld.allowed, world.robot.model.words);
}

/** Steps to where both hands reach two opposite sides of the thing. */
function* approach(ctx: SkillContext, entityId: string): Attempt<Stance> {
  const { world } = ctx.core;
  const { words } = world.robot.model;
  const thing = things.find(world, entityId);
  if (!thing) return { ok: false, error: errors.unknownEntity(entityId, []) };
  const heights = waysTo(world, thing);
  if (heights === null) return { ok: false, error: errors.noGraspFound(entityId, 'it leans against something', words) };
  const notHeld = notHeldBecause(world.robot.gripper, thing, loadKg(world, thing));
  if (notHeld) return { ok: false, error: errors.cannotBeHeld(entityId, notHeld.reason, notHeld.allowed, words) };
  const above = thingOn(world, thing);
  if (above) return { ok: false, error: errors.noGraspFound(entityId, `${above.entityId} lies on top of it`, words) };
  const free = heights.map((ways) => ways.filter((way) => palmsFit(world, thing.position, way, entityId)));
  if (free.every((ways) => ways.length === 0))
    return { ok: false, error: errors.noGraspFound(entityId, 'other things stand too close on every side', words) };
  const gripsAt: GripsAt = (way) => [
    gripOn(thing.position, way, openM(world, way), aboveM(way)),
    gripOn(thing.position, way, openM(world, way)),
    gripOn(thing.position, way, closedM(way)),
  ];
  const roomy = (found: Stance): boolean => mayDrawClose(world, found, thing.position);
  // A stance with free access for the hands is worth a walk; if none exists, any stance is accepted.
  const stance = firstOf(
    isBulkyNear(world, thing.position) ? [roomy, undefined] : [undefined],
    (isClear) =>
      firstOf(free, (ways) => standingStance(world, ways, gripsAt, isClear)) ??
      firstOf(free, (ways) => walkingStance(world, thing.position, ways, gripsAt, isClear)),
  );
  if (!stance) {
    const lie = lieOfView(thing);
    const tooFlat = lie && tooFlatBecause(world, thing, lie);
    if (tooFlat) return { ok: false, error: errors.cannotBeHeld(entityId, tooFlat.reason, tooFlat.allowed, words) };
    return { ok: false, error: errors.noStance(entityId, words) };
  }
  if (!stance.walk) return { ok: true, value: stance };
  const goal = { ...stance.pose, finalYaw: true, label: `a stance before ${entityId}` };
  const walked = yield* walkTo(ctx, goal, stanceTolerance(stance), { passing: true });
  return walked.ok ? { ok: true, value: stance } : walked;
}

function firstOf<T, R>(all: readonly T[], find: (one: T) => R | null): R | null {
  for (const one of all) {
    const found = find(one);
    if (found) return found;
  }
  return null;
}

/** Returns the ways to take a thing as it lies, by height on it; null when it leans. */
function waysTo(world: SimWorld, thing: things.ThingView): GripWay[][] | null {
  if (thing.isCube) {
    const yaw = uprightYaw(thing.orientation);
    return yaw === null ? null : [waysOfCube(faceYaws(yaw))];
  }
  const lie = lieOfView(thing);
  const at = base.pose(world);
  const bearingRad = portable.atan2(thing.position[1] - at.y, thing.position[0] - at.x);
  return lie && gripWays(world.robot.gripper, thing, lie, bearingRad);
}

type Taken = { kind: 'held' } | { kind: 'missed'; why: string };

/** Moves the hands above the thing, down, and closes them: the thing is held, or the hands are open beside it again. */
function* take(ctx: SkillContext, entityId: string, stance: Stance): Generator<void, Taken, void> {
  const { world } = ctx.core;
  const thing = things.find(world, entityId);
  if (!thing) return { kind: 'missed', why: 'it is gone' };
  world.robot.head.setGaze(world.body, thing.position);
  ctx.phase('reaching');
  const { way } = stance;
  const openingM = openM(world, way);
  const overAllM = passingHeight(world, thing.position, EMPTY_HANDS, entityId) - thing.position[2] - way.raiseM;
  // Straight up before the body, then over it: on a slope the palms would meet its upper edge.
  if (isBulkyNear(world, thing.position) || isInSwing(world, entityId))
    yield* drawUp(ctx, Math.max(overAllM, aboveM(way)) + thing.position[2] + way.raiseM);
  const above = (raiseM: number) => handsTo(ctx, gripOn(thing.position, way, openingM, raiseM));
  if (!(overAllM > aboveM(way) && (yield* above(overAllM))) && !(yield* above(aboveM(way))))
    return { kind: 'missed', why: 'it is out of reach' };
  if (!(yield* handsTo(ctx, gripOn(thing.position, way, openingM)))) return { kind: 'missed', why: 'it is out of reach' };
  const { words } = world.robot.model;
  ctx.phase(`closing ${words.hands}`);
  if (yield* closeOn(ctx, entityId, way)) return { kind: 'held' };
  const touch = grasp.touching(world, entityId);
  const which =
    touch.right === touch.left
      ? `neither ${words.palm} stayed on it`
      : `only the ${touch.right ? 'right' : 'left'} ${words.palm} touched it`;
  return { kind: 'missed', why: which };
}

/**
 * Returns the opening with which palms lie on what they hold: as wide as it is, and never so wide that they would let go of one
 * that is askew.
 */
const lyingOnM = (hold: Hold): number =>
  Math.min(heldWidthM(hold.thing, hold.target.yawRad) - LIES_ON_M, takenOpeningM(hold) + LOOSER_BY_M);

/** Lifts the thing, holds it before the chest, and reports success only when it has been held firmly for the settle window. */
function* bringBack(ctx: SkillContext, entityId: string, requested: string): SkillRun {
  const { core } = ctx;
  const { world } = core;
  function* lost(): SkillRun {
    core.armsAstray = true;
    const inHands = grasp.heldEntityId(world);
    if (inHands !== null && inHands !== entityId)
      return { ok: false, error: errors.wrongEntityHeld(entityId, inHands, world.robot.model.words) };
    // A thing that is about to slip away is let go: a pick that fails leaves the hands empty.
    if (inHands !== null) {
      grasp.release(world);
      noteDropped(core, entityId);
    }
    yield* straightenUp(ctx);
    return { ok: false, error: errors.dropped(entityId, things.find(world, entityId)?.position ?? null) };
  }
  ctx.phase('lifting');
  // The head is back in its place by the time the thing is before the chest.
  world.robot.head.setGaze(world.body, null);
  const { centre, yawRad, openingM } = world.robot.hands.grip(world.body);
  const { belowM } = heldRoom(world.grasp.hold);
  const overAllM = passingHeight(world, centre, { belowM, surfaceM: belowM }, entityId) - centre[2];
  const closed = world.grasp.hold?.thing.isCube === false ? { closesToM: openingM } : {};
  for (const raiseM of [Math.max(LIFT_M, overAllM), LIFT_M])
    if (
      world.robot.hands.moveTo(
        world.body,
        { ...gripAt(centre, yawRad, openingM, raiseM), ...closed },
        { slowerBy: slowerBy(world) },
      )
    )
      break;
  if (!(yield* holdWhile(ctx, entityId, () => world.robot.hands.isMoving(world.body)))) return yield* lost();
  // Closing palms stop some millimetres within what they took: let go of, a thin wall would come out on the wrong side of them.
  const { hold } = world.grasp;
  if (hold && !hold.thing.isCube) world.robot.hands.setOpening(world.body, lyingOnM(hold), LOOSEN_S);
  world.robot.hands.carry(world.body, carrying(world));
  const firm = () => grasp.heldEntityId(world) === entityId && grasp.slipM(world) < FIRM_SLIP_M;
  let firmSteps = 0;
  for (let step = 0; step < CARRY_WITHIN_STEPS * slowerBy(world); step += 1) {
    if (grasp.heldEntityId(world) !== entityId) return yield* lost();
    firmSteps = firm() ? firmSteps + 1 : 0;
    if (!world.robot.hands.isMoving(world.body) && firmSteps > SETTLE_STEPS) break;
    yield;
  }
  if (!firm() && !(yield* settle(firm, SETTLE_STEPS))) return yield* lost();
  core.armsAstray = false;
  return { ok: true, result: { status: 'done', held: entityId, held_count: CARRY_CAPACITY, requested } };
}
