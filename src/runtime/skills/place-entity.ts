import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import type { SkillInput, SkillOutput } from '../../protocol/wire/skills.ts';
import * as benchmark from '../../simulation/benchmark.ts';
import * as collection from '../../simulation/collection.ts';
import * as grasp from '../../simulation/grasp.ts';
import type { GripPose } from '../../simulation/robot.ts';
import { padOf } from '../../simulation/scene.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import * as things from '../../simulation/things.ts';
import type { Attempt, SkillRun } from '../action-entry.ts';
import type { RuntimeCore } from '../core.ts';
import { droppedOnWire } from '../dropped.ts';
import { wirePose } from '../poses.ts';
import { mayDrawClose } from './draw-close.ts';
import type { GripWay } from './grips.ts';
import { carriedMeets, carryHeightM, carrying, isBulkyNear, passingHeight, slowerBy } from './hand-room.ts';
import { aboveM, gripOn, holdWhile, openM } from './hands.ts';
import { type HeldFor, heldFor } from './held-for.ts';
import { stanceTolerance } from './pick-entity.ts';
import type { Place } from './place.ts';
import { restsOn } from './place-on-thing.ts';
import { checkTarget, placesFor } from './place-target.ts';
import { armsDone, leavingFor, straightenUp, withdraw } from './posture.ts';
import { SETTLE_STEPS, type SkillContext, type SkillModule, steps } from './skill.ts';
import { type GripsAt, liesFlat, palmsFit, type Stance, standingStance, walkingStance } from './stances.ts';
import { walkTo } from './walk.ts';

/** Height above the resting place at which the thing is released; higher only if the hands cannot come lower. */
const RELEASE_GAP_M = 0.004;
const RELEASE_GAPS_M = [RELEASE_GAP_M, 0.015, 0.03, 0.045];
/** Angle against its pad at which a thing may be put down if that saves a step. */
const TILT_RAD = 0.21;
/** Distance to another thing below which the held thing comes down upright from above. */
const NEIGHBOUR_M = 0.45;
/** Distance from its place within which a resting thing counts as placed. */
const PLACED_WITHIN_M = 0.03;
const SETTLE_WITHIN_STEPS = steps(2.5);

export const placeEntity: SkillModule<'place_entity'> = {
  check: (core, { target }) => checkTarget(core.world, target),
  run: place,
};

interface Choice {
  place: Place;
  stance: Stance;
}

function* place(ctx: SkillContext, { target }: SkillInput<'place_entity'>): SkillRun {
  const { core } = ctx;
  const { world } = core;
  const entityId = grasp.heldEntityId(world);
  if (entityId === null) return { ok: false, error: errors.handsEmpty(core.dropped && droppedOnWire(core, core.dropped)) };
  const held = heldFor(world, entityId);
  const found = placesFor(world, target, held);
  if (!found.ok) return found;
  const choice = choose(core, held, found.places);
  if (!choice) return { ok: false, error: errors.noStance(found.places[0]?.label ?? 'the place', world.robot.model.words) };
  core.overlay = { ...core.overlay, targetEntityId: choice.place.on?.entityId ?? choice.place.padId };
  try {
    yield* straightenUp(ctx);
    const lowered = yield* lower(ctx, held, choice);
    if (!lowered.ok) return lowered;
    return yield* letGo(ctx, held, choice.place);
  } finally {
    world.robot.head.setGaze(world.body, null);
    core.overlay = { ...core.overlay, targetEntityId: null };
  }
}

/**
 * Returns the place for the held thing and the stance. It prefers a stance from which the empty hands return freely. A place in a
 * container requires such a stance, because hands that return through a container's wall would drag it with them.
 */
function choose({ world }: RuntimeCore, held: HeldFor, places: readonly Place[]): Choice | null {
  const isClear: IsClear = ({ centre }, stance) => !carriedMeets(world, [...wayDown(world, held, centre, stance)]);
  const isRoomy: IsClear = (place, stance) => mayDrawClose(world, stance, place.centre) && isClear(place, stance);
  if (!places.some(({ centre }) => isBulkyNear(world, centre))) return nearestStance(world, held, places, isClear);
  const outside = places.filter(({ on }) => on?.isInside !== true);
  return nearestStance(world, held, places, isRoomy) ?? nearestStance(world, held, outside, isClear);
}

/** Returns whether the hands can work at a place from a stance without touching other things. */
type IsClear = (place: Place, stance: Stance) => boolean;

/**
 * Returns the first place that the hands reach from here, turned a little if need be; otherwise the first that some stance
 * serves, with the thing aligned with what it is put on.
 */
function nearestStance(world: SimWorld, held: HeldFor, places: readonly Place[], isClear: IsClear): Choice | null {
  const gripsAt =
    ({ centre }: Place): GripsAt =>
    (way) => [gripOn(centre, way, openM(world, way), aboveM(way)), gripOn(centre, way, openM(world, way), RELEASE_GAP_M)];
  const fits = (candidate: Place, yaws: readonly number[]): GripWay[] =>
    yaws.map((yawRad) => ({ ...held.way, yawRad })).filter((way) => palmsFit(world, candidate.centre, way, held.entityId));
  const clearTo = (candidate: Place) => (stance: Stance) => isClear(candidate, stance);
  for (const tilt of [0, TILT_RAD]) {
    for (const candidate of places) {
      const yaws = candidate.gripYaws.flatMap((yaw) => [yaw - tilt, yaw + tilt]);
      const stance = standingStance(world, fits(candidate, yaws), gripsAt(candidate), clearTo(candidate));
      if (stance) return { place: candidate, stance };
    }
  }
  for (const candidate of places) {
    const ways = fits(candidate, candidate.gripYaws);
    const stance = walkingStance(world, candidate.centre, ways, gripsAt(candidate), clearTo(candidate));
    if (stance) return { place: candidate, stance };
  }
  return null;
}

/**
 * Yields the points that the held thing goes through from where the robot carries it: over what stands near the place, then down.
 */
function* wayDown(world: SimWorld, held: HeldFor, [x, y, z]: Vec3, { pose, way }: Stance): Generator<Vec3> {
  const { aheadM } = world.robot.carried;
  const heightM = carryHeightM(world) - way.raiseM;
  yield [pose.x + aheadM * portable.cos(pose.yawRad), pose.y + aheadM * portable.sin(pose.yawRad), heightM];
  const over = raisesOver(world, held, [x, y, z]).find(
    (raiseM) => world.robot.hands.solveReach(world, pose, gripOn([x, y, z], way, way.widthM, raiseM)).feasible,
  );
  if (over !== undefined) yield [x, y, z + over];
  yield [x, y, z + RELEASE_GAP_M];
}

/** Returns how far above its place the thing passes over what stands near, the best first; none where nothing does. */
function raisesOver(world: SimWorld, held: HeldFor, centre: Vec3): number[] {
  const crowded = things.list(world).some((thing) => !thing.held && isNear(thing.position, centre));
  const passing = { belowM: held.halfHeightM, surfaceM: held.halfHeightM };
  const least = aboveM(held.way);
  return crowded ? [Math.max(least, passingHeight(world, centre, passing, held.entityId) - centre[2]), least] : [];
}

/** Returns the grip that brings the held thing's centre to a point: the thing does not sit exactly in the middle of the hands. */
function gripForThing(world: SimWorld, { entityId, way }: HeldFor, point: Vec3, gripYawRad: number): GripPose {
  const now = world.robot.hands.grip(world.body);
  const position = things.find(world, entityId)?.position ?? now.centre;
  const [dx, dy, dz] = [position[0] - now.centre[0], position[1] - now.centre[1], position[2] - now.centre[2]];
  const turn = gripYawRad - now.yawRad;
  const [cos, sin] = [portable.cos(turn), portable.sin(turn)];
  const centre: Vec3 = [point[0] - (cos * dx - sin * dy), point[1] - (sin * dx + cos * dy), point[2] - dz];
  const grip = { centre, yawRad: gripYawRad, openingM: now.openingM };
  return way.isCube ? grip : { ...grip, closesToM: now.openingM };
}

/** Walks to the stance and brings the thing down to just above its place. */
function* lower(ctx: SkillContext, held: HeldFor, { place: goal, stance }: Choice): Attempt<null> {
  const { core } = ctx;
  const { world } = core;
  const { entityId } = held;
  const lost = () => ({ ok: false as const, error: errors.dropped(entityId, things.find(world, entityId)?.position ?? null) });
  if (stance.walk) {
    const walked = yield* walkTo(
      ctx,
      { ...stance.pose, finalYaw: true, label: `a stance before ${goal.label}` },
      stanceTolerance(stance),
      { passing: true, interrupted: () => (grasp.heldEntityId(world) === entityId ? null : lost().error) },
    );
    if (!walked.ok) return walked;
  }
  if (grasp.heldEntityId(world) !== entityId) return lost();
  core.armsAstray = true;
  world.robot.head.setGaze(world.body, goal.centre);
  ctx.phase('lowering');
  const [x, y, z] = goal.centre;
  const sent = (raiseM: number) =>
    world.robot.hands.moveTo(world.body, gripForThing(world, held, [x, y, z + raiseM], stance.way.yawRad), {
      slowerBy: slowerBy(world),
    });
  const overM = raisesOver(world, held, goal.centre);
  // First over nearby things, as high as the hands reach; then down, as low as they reach with a cube that sits low or high in
  // them.
  const ways = [...(overM.length > 0 ? [overM] : []), RELEASE_GAPS_M];
  for (const raisesM of ways) {
    if (!raisesM.some(sent)) {
      world.robot.head.setGaze(world.body, null);
      world.robot.hands.carry(world.body, carrying(world));
      core.armsAstray = !(yield* armsDone(ctx));
      return { ok: false, error: errors.noStance(goal.label, world.robot.model.words) };
    }
    if (!(yield* holdWhile(ctx, entityId, () => world.robot.hands.isMoving(world.body)))) {
      world.robot.head.setGaze(world.body, null);
      yield* straightenUp(ctx);
      return lost();
    }
  }
  return { ok: true, value: null };
}

const isNear = (a: Vec3, b: Vec3): boolean =>
  portable.hypot(a[0] - b[0], a[1] - b[1]) < NEIGHBOUR_M && Math.abs(a[2] - b[2]) < NEIGHBOUR_M;

/** Opens and withdraws the hands. Done only after the thing has rested in its place for the settle window. */
function* letGo(ctx: SkillContext, held: HeldFor, goal: Place): SkillRun {
  const { core } = ctx;
  const { world } = core;
  const { entityId } = held;
  let restSteps = 0;
  const watch = (): void => {
    restSteps = restsAt(world, entityId, goal) ? restSteps + 1 : 0;
  };
  grasp.release(world);
  world.robot.head.setGaze(world.body, null);
  ctx.phase(`opening ${world.robot.model.words.hands}`);
  const put = things.find(world, entityId);
  const leaving = put ? leavingFor(world, put, world.robot.hands.grip(world.body).centre[2]) : undefined;
  for (const hands = withdraw(ctx, leaving); !hands.next().done; watch()) yield;
  ctx.phase('settling');
  for (let step = 0; step < SETTLE_WITHIN_STEPS; step += 1) {
    if (restSteps > SETTLE_STEPS && !world.robot.hands.isMoving(world.body)) break;
    yield;
    watch();
  }
  core.armsAstray = false;
  const thing = things.find(world, entityId);
  if (restSteps <= SETTLE_STEPS || !thing) {
    return {
      ok: false,
      error: errors.notOnTarget(entityId, goal.label, thing?.position ?? goal.centre, thing?.parentPadId ?? null),
    };
  }
  // The result reports the state at the end of the settle window; then a correct delivery leaves the scene.
  const collected = collection.collectDelivered(world, entityId);
  return {
    ok: true,
    result: {
      status: 'done',
      placed: entityId,
      placed_on: thing.parentPadId,
      slot: thing.slotIndex,
      ...(goal.on === null ? {} : { placed_in_thing: goal.on.isInside, placed_on_thing: goal.on.entityId }),
      pose: wirePose(thing.position, thing.orientation),
      held_count: 0,
      collected,
      ...deliveryOf(world, thing),
    },
  };
}

/** Returns whether a cube reached the pad of its colour, and an empty object if the placement is not a delivery. */
function deliveryOf(world: SimWorld, { isCube, colour, parentPadId }: things.ThingView): Partial<SkillOutput<'place_entity'>> {
  const pad = parentPadId === null ? null : padOf(world, parentPadId);
  if (!isCube || !benchmark.isOffered(world) || pad?.role !== 'destination' || pad.color === undefined) return {};
  return { correct: pad.color === colour, pad_color: pad.color, thing_color: colour };
}

function restsAt(world: SimWorld, entityId: string, goal: Place): boolean {
  const thing = things.find(world, entityId);
  if (!thing?.atRest || thing.held || !liesFlat(thing)) return false;
  if (goal.on !== null) return restsOn(world, thing, goal.on);
  if (thing.parentPadId !== goal.padId) return false;
  const [x, y, z] = thing.position;
  const near = portable.hypot(x - goal.centre[0], y - goal.centre[1], z - goal.centre[2]) < PLACED_WITHIN_M;
  return near && (goal.slot === null || thing.slotIndex === goal.slot);
}
