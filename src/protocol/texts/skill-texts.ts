import { listed } from '../../common/shown-text.ts';
import type { Dropped } from '../wire/dropped.ts';
import { advisedError, type RuntimeError, runtimeError } from '../wire/error-codes.ts';
import { radToDeg, type Vec3 } from '../wire/geometry.ts';
import { roundDeg, roundLength } from '../wire/json.ts';
import { REACH_M } from '../wire/limits.ts';
import { partsInWords, type RobotWords } from '../wire/robot.ts';

/** The sentences of skills that cannot begin, or that end without their postcondition. */

/** For programs: what helps if a robot or its world does not recover. */
export const RESTART_WITH = { skill: 'reset' } as const;

const metres = (value: number): string => `${value.toFixed(2)}m`;

export const handsFull = (heldEntityId: string): RuntimeError =>
  advisedError('HANDS_FULL', `carry capacity reached: the robot holds ${heldEntityId}.`, 'Place it first.', {
    held: [heldEntityId],
  });

/** @param dropped the thing that last slipped from the hands */
export const handsEmpty = (dropped: Dropped | null): RuntimeError =>
  dropped === null
    ? runtimeError('HANDS_EMPTY', 'The robot holds nothing to place. Pick a thing first.')
    : runtimeError(
        'HANDS_EMPTY',
        `The robot holds nothing to place: it dropped ${dropped.entity_id} before. Read where it lies, then pick it up.`,
        { dropped },
      );

/** @param words the robot's, for what takes a thing */
export const notGraspable = (entityId: string, kind: string, { hands }: Pick<RobotWords, 'hands'>): RuntimeError =>
  runtimeError('NOT_GRASPABLE', `${entityId} is a ${kind}, which the ${hands} cannot take. Pick a cube or another thing.`, {
    kind,
  });

/**
 * For a thing whose size or weight exceeds what the hands can hold.
 * @param allowed the measures that they hold
 * @param words the robot's, for what takes a thing
 */
export const cannotBeHeld = (
  entityId: string,
  reason: string,
  allowed: Record<string, unknown>,
  { hands }: Pick<RobotWords, 'hands'>,
): RuntimeError =>
  runtimeError('NOT_GRASPABLE', `The ${hands} cannot hold ${entityId}: ${reason}. Pick another thing.`, { reason, allowed });

/** @param words the robot's, for what takes a thing */
export const noGraspFound = (entityId: string, reason: string, { hands }: Pick<RobotWords, 'hands'>): RuntimeError =>
  runtimeError(
    'NOT_GRASPABLE',
    `The ${hands} cannot take ${entityId} as it lies: ${reason}. Clear the space around it or pick another thing.`,
    {
      reason,
      retryable: true,
    },
  );

export const targetOccupied = (target: string, occupant: string): RuntimeError =>
  runtimeError('TARGET_OCCUPIED', `${occupant} is already at ${target}. Choose a free slot or place.`, { occupant });

export const placeOnItself = (entityId: string): RuntimeError =>
  invalidTarget(`"input.target" must not name what the robot holds; it holds ${entityId}.`);

const invalidTarget = (message: string): RuntimeError => runtimeError('INVALID_INPUT', message, { path: 'input.target' });

export const noFlatTop = (entityId: string): RuntimeError =>
  runtimeError(
    'NO_FREE_SLOT',
    `Nothing can be put on ${entityId} as it lies: it has no flat top, it leans or it still moves. Choose another place.`,
    { entity_id: entityId },
  );

export const doesNotFit = (entityId: string, onEntityId: string, isInside: boolean): RuntimeError =>
  runtimeError(
    'NO_FREE_SLOT',
    `${entityId} does not fit ${isInside ? 'into' : 'on top of'} ${onEntityId}, whichever way it is turned. Choose another place.`,
    { entity_id: entityId, target_id: onEntityId },
  );

export const noFreeSlot = (padId: string): RuntimeError =>
  runtimeError('NO_FREE_SLOT', `${padId} has no free slot. Choose another pad.`, { pad_id: padId });

export const slotUnsupported = (padId: string, index: number, below: number, occupant: string | null): RuntimeError => {
  const why =
    occupant === null
      ? `which is empty. Fill slot ${below} first.`
      : `in which ${occupant} does not lie flat in the middle. Pick ${occupant} and place it again, or choose another slot.`;
  return runtimeError('NO_FREE_SLOT', `Slot ${index} of ${padId} lies on top of slot ${below}, ${why}`, { pad_id: padId, below });
};

export const goalOutside = (x: number, y: number, bounds: { min: Vec3; max: Vec3 }): RuntimeError =>
  runtimeError(
    'GOAL_OUTSIDE_MAP',
    `The goal (${x.toFixed(2)}, ${y.toFixed(2)}) is outside the floor: x ${bounds.min[0]} to ${bounds.max[0]}, y ${bounds.min[1]} to ${bounds.max[1]}. Choose a point inside.`,
    { allowed: { min: bounds.min, max: bounds.max } },
  );

interface NearestPoint {
  x: number;
  y: number;
}
const nearestFacts = (nearest: NearestPoint | null): { nearest_reachable: [number, number] | null } => ({
  nearest_reachable: nearest && [roundLength(nearest.x), roundLength(nearest.y)],
});
const nearestText = (nearest: NearestPoint | null): string =>
  nearest ? ` The nearest point it can reach is (${nearest.x.toFixed(2)}, ${nearest.y.toFixed(2)}).` : '';

export const goalOccupied = (goal: string, blocker: string, nearest: NearestPoint | null): RuntimeError =>
  runtimeError('GOAL_OCCUPIED', `The robot cannot stand at ${goal}: ${blocker} is there.${nearestText(nearest)}`, {
    blocker,
    ...nearestFacts(nearest),
  });

export const noPath = (goal: string, nearest: NearestPoint | null): RuntimeError =>
  runtimeError('NO_PATH', `No way leads from the robot to ${goal}.${nearestText(nearest)}`, nearestFacts(nearest));

const tooFar = (what: string, distanceM: number): string => `too far from ${what} (${metres(distanceM)} > ${metres(REACH_M)})`;

/** The same for a reader who does not look for those words. */
const beyondReach = (what: string, distanceM: number): string =>
  `${what} is ${distanceM.toFixed(2)} m away, and the robot reaches ${REACH_M.toFixed(2)} m.`;

/**
 * Programs read both distances from the literal words "too far from cube (2.38m > 1.20m)", so the id comes after them, whatever
 * it is.
 */
export const cubeTooFar = (entityId: string, distanceM: number): RuntimeError => {
  const hint = `Go nearer first: go_to ${entityId} stops within reach of it.`;
  return runtimeError('OUT_OF_REACH', `${tooFar('cube', distanceM)}: ${entityId} is out of reach from here. ${hint}`, {
    entity_id: entityId,
    distance_m: roundLength(distanceM),
    reach_m: REACH_M,
    problem: beyondReach(entityId, distanceM),
    hint,
  });
};

/** @param at where the slot is, [x, y] in the world */
export const slotTooFar = (padId: string, slot: number, at: readonly [number, number], distanceM: number): RuntimeError =>
  advisedError('OUT_OF_REACH', `${tooFar(`slot ${slot} of ${padId}`, distanceM)}.`, goNearerTo(at), {
    pad_id: padId,
    slot,
    distance_m: roundLength(distanceM),
    reach_m: REACH_M,
  });

const goNearerTo = ([x, y]: readonly [number, number]): string =>
  `Go nearer first: go_to a pose within ${metres(REACH_M)} of it, at (${x.toFixed(2)}, ${y.toFixed(2)}).`;

/** @param at where the nearest free slot is, [x, y] in the world */
export const freeSlotTooFar = (padId: string, slot: number, at: readonly [number, number], distanceM: number): RuntimeError =>
  advisedError(
    'OUT_OF_REACH',
    `${tooFar('the free slots', distanceM)} of ${padId}; the nearest is slot ${slot}.`,
    goNearerTo(at),
    { pad_id: padId, slot, distance_m: roundLength(distanceM), reach_m: REACH_M },
  );

export const placeTooFar = (distanceM: number): RuntimeError =>
  runtimeError('OUT_OF_REACH', `${tooFar('the place', distanceM)}. Go nearer first, with go_to.`, {
    distance_m: roundLength(distanceM),
    reach_m: REACH_M,
    problem: beyondReach('The place', distanceM),
    hint: `Go nearer first: go_to a pose within ${metres(REACH_M)} of it.`,
  });

/**
 * Programs look for its first words, whatever supports the pads.
 * @param distancesM of the suitable pads, from the base
 * @param liesOn what a pad lies on, in words; empty for a pallet
 */
export const notNearPallet = (
  distancesM: Readonly<Record<string, number>>,
  liesOn: (padId: string) => string = () => '',
): RuntimeError => {
  const byDistance = Object.entries(distancesM).sort(([, one], [, other]) => one - other);
  const [nearest] = byDistance;
  const on = nearest ? liesOn(nearest[0]) : '';
  const pad = `${nearest?.[0]}${on === '' ? '' : ` (${on})`}`;
  const named = byDistance.length === 1 ? `${pad} is` : `the nearest is ${pad},`;
  const where = nearest ? `${named} ${nearest[1].toFixed(2)} m away` : 'the scene has none';
  const hint = nearest ? `Go nearer first: go_to ${nearest[0]} stops within reach of it.` : 'Choose a pose on the floor.';
  return advisedError(
    'OUT_OF_REACH',
    `not near a pallet (must be within ${metres(REACH_M)} of ${listed(Object.keys(distancesM))}): ${where}.`,
    hint,
    {
      reach_m: REACH_M,
      distances_m: Object.fromEntries(Object.entries(distancesM).map(([id, value]) => [id, roundLength(value)])),
    },
  );
};

/** @param words the robot's, for what takes a thing */
export const noStance = (what: string, { grip }: Pick<RobotWords, 'grip'>): RuntimeError =>
  runtimeError(
    'OUT_OF_REACH',
    `${what} is within range, but no place to stand lets ${grip} reach it. Clear the floor around it or choose another.`,
    {
      reach_m: REACH_M,
    },
  );

export const navigationStuck = (facts: {
  goal: string;
  progressM: number;
  remainingM: number;
  blocker: string | null;
  recoveries: number;
}): RuntimeError =>
  runtimeError(
    'NAVIGATION_STUCK',
    `The robot got ${facts.progressM.toFixed(2)} m towards ${facts.goal} and cannot continue, ${facts.remainingM.toFixed(2)} m before it: ${facts.blocker ? `${facts.blocker} is in the way` : 'something is in the way that it cannot name'}. Choose another way or goal.`,
    {
      progress_m: roundLength(facts.progressM),
      remaining_m: roundLength(facts.remainingM),
      blocker: facts.blocker,
      recoveries: facts.recoveries,
    },
  );

/** @param words the robot's, for what opens and closes */
export const graspMissed = (entityId: string, why: string, { hands }: Pick<RobotWords, 'hands'>): RuntimeError =>
  runtimeError('GRASP_MISSED', `The ${hands} closed twice without taking ${entityId}: ${why}. Read the scene, then try again.`, {
    reason: why,
  });

export const dropped = (entityId: string, position: Vec3 | null): RuntimeError =>
  runtimeError('DROPPED', `The robot dropped ${entityId}. Read where it lies, then pick it up.`, {
    ...(position ? { evidence: { position: position.map(roundLength) } } : {}),
  });

/** For an action that still ends well. */
export const droppedMeanwhile = (entityId: string): string =>
  `The robot dropped ${entityId} meanwhile; result.dropped has its place.`;

/** @param words the robot's, for the part of its body that is called `arms` */
export const notStopped = (
  parts: readonly string[],
  withinS: number,
  speed: { linearMps: number; angularRps: number },
  words: Pick<RobotWords, 'arms'>,
  facts: Record<string, unknown> = {},
): RuntimeError =>
  runtimeError(
    'NOT_AT_GOAL',
    // Only a push keeps a base moving against its brakes; arms and head follow their commands.
    `The robot should stop, but still moves after ${withinS} s (${listed(partsInWords(parts, words))})${parts.includes('base') ? ': something pushes it. Remove that, then stop' : '. Stop'} the robot again.`,
    {
      evidence: { linear_mps: roundLength(speed.linearMps), angular_rps: roundLength(speed.angularRps) },
      ...facts,
    },
  );

/** For a velocity that led to no motion although nothing touches the robot. */
export const didNotMove = (durationS: number, facts: Record<string, unknown>): RuntimeError =>
  advisedError(
    'NOT_AT_GOAL',
    `The robot should have moved for ${durationS} s, but did not, although nothing is in its way.`,
    'Read the state and try again. If it still does not move, call reset.',
    { restart_with: RESTART_WITH, ...facts },
  );

/** @param words the robot's, for what holds a thing */
export const wrongEntityHeld = (asked: string, held: string, { hands }: Pick<RobotWords, 'hands'>): RuntimeError =>
  runtimeError('WRONG_ENTITY_HELD', `The ${hands} hold ${held} and not ${asked}. Place it, then try again.`, {
    evidence: { held: [held] },
  });

export const notAtGoal = (facts: { positionErrorM: number; yawErrorRad: number; toleranceM: number }): RuntimeError =>
  runtimeError(
    'NOT_AT_GOAL',
    `The robot stands ${facts.positionErrorM.toFixed(3)} m from its goal, beyond the tolerance of ${facts.toleranceM} m. Try again or allow a larger tolerance.`,
    {
      evidence: { position_error_m: roundLength(facts.positionErrorM), yaw_error_deg: roundDeg(radToDeg(facts.yawErrorRad)) },
      allowed: { tolerance_m: facts.toleranceM },
    },
  );

export const targetMovedOn = (entityId: string): RuntimeError =>
  runtimeError(
    'NOT_AT_GOAL',
    `${entityId} moved away each time the robot came to it. Read where it is, wait until it rests, then call again.`,
    {},
  );

export const headNotThere = (facts: { yawErrorRad: number; pitchErrorRad: number }): RuntimeError =>
  runtimeError('NOT_AT_GOAL', 'The head did not come within 1 degree of its target. Read the head in the state and try again.', {
    evidence: { yaw_error_deg: roundDeg(radToDeg(facts.yawErrorRad)), pitch_error_deg: roundDeg(radToDeg(facts.pitchErrorRad)) },
  });

export const headCannotSee = (what: string): RuntimeError =>
  runtimeError(
    'OUT_OF_REACH',
    `The head cannot be turned to ${what}, not even with the base turned to it. Step back from it first.`,
  );

export const notOnTarget = (entityId: string, target: string, position: Vec3, restsOn: string | null): RuntimeError =>
  runtimeError(
    'NOT_ON_TARGET',
    `${entityId} does not lie at ${target}; it is ${restsOn ? `on ${restsOn}` : 'somewhere else'}. Read where it lies, then pick it up.`,
    {
      evidence: { position: position.map(roundLength), parent_pad_id: restsOn },
    },
  );
