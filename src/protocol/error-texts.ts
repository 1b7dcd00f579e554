import { type Caller, callerName, callerOnWire, saidCaller } from './caller.ts';
import { clamp } from './clamp.ts';
import type { Dropped } from './dropped.ts';
import { type RuntimeError, runtimeError } from './error-codes.ts';
import { radToDeg, type Vec3 } from './geometry.ts';
import { roundDeg, roundLength, utf8Bytes } from './json.ts';
import {
  CALLS_AT_ONCE_MAX,
  CALLS_PER_SECOND_MAX,
  CAPTURES_WAITING_MAX,
  JOINED_CALLS_MAX,
  REACH_M,
  RPC_PAYLOAD_MAX_BYTES,
  STOPS_AT_ONCE_MAX,
} from './limits.ts';
import { CANCEL_ACTIVE } from './methods.ts';
import type { RobotWords } from './robot.ts';
import { quoted, shownId } from './shown-text.ts';
import type { ActiveAction } from './state.ts';

export * from './signed-texts.ts';

/**
 * The sentences of failures: one builder for each case, so that each wording exists once. Each says what was asked, what is wrong
 * and what to do. The ledger fills in `attempted` and `world_changed`, which it has measured.
 */

/** Quotes an id that others chose, for a sentence of ours. */
const saidId = (id: string): string => quoted(shownId(id));
const metres = (value: number): string => `${value.toFixed(2)}m`;
const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));
const nearestHint = (names: readonly string[]): string => (names.length === 0 ? '' : ` Nearest: ${list(names)}.`);

const progressText = ({ progress }: Pick<ActiveAction, 'progress'>): string =>
  progress ? ` at ${shownProgress(progress.current)} of ${shownProgress(progress.total)} ${progress.unit}` : '';
/** A person reads centimetres; the details give a tenth of a millimetre. */
const shownProgress = (value: number): string => String(Math.round(value * 100) / 100);

export const invalidInput = (message: string, facts: { path?: string; allowed?: unknown } = {}): RuntimeError =>
  runtimeError('INVALID_INPUT', message, facts);

/** @param scenesForSorting ids of the scenes that have the benchmark */
export const noSortingHere = (sceneId: string, scenesForSorting: readonly string[]): RuntimeError =>
  invalidInput(
    `"input.benchmark" sets up the sorting benchmark, and the scene ${sceneId} is not made for sorting. Choose ${list(scenesForSorting)} with select_scene first.`,
    { path: 'input.benchmark' },
  );

/** The id that `runtime.cancel` understands as "whatever is active". */
export const reservedActionId = (): RuntimeError =>
  invalidInput(`"options.action_id" must not be "${CANCEL_ACTIVE}"; runtime.cancel means the active action by it.`, {
    path: 'options.action_id',
  });

export const unknownSkill = (name: string, nearest: readonly string[]): RuntimeError =>
  runtimeError(
    'UNKNOWN_SKILL',
    `No skill is named "${shownId(name)}".${nearestHint(nearest)} runtime.tools_list lists all of them.`,
    {
      nearest,
    },
  );

export const unknownEntity = (entityId: string, nearest: readonly string[]): RuntimeError =>
  runtimeError(
    'UNKNOWN_ENTITY',
    `Nothing in the scene has the id "${shownId(entityId)}".${nearestHint(nearest)} runtime.scene_state lists all of them.`,
    { entity_id: entityId, nearest },
  );

/** @param padId where it was delivered, while that is still remembered */
export const collected = (entityId: string, padId: string | null): RuntimeError =>
  runtimeError(
    'UNKNOWN_ENTITY',
    `${entityId} was delivered${padId === null ? '' : ` to ${padId}`} and has been collected, so it has left the hall. Choose another one; runtime.scene_state lists all of them.`,
    { entity_id: entityId, collected: true, ...(padId === null ? {} : { pad_id: padId }), nearest: [] },
  );

export const noCubeLeft = (): RuntimeError =>
  runtimeError(
    'UNKNOWN_ENTITY',
    'The alias "cube" found no free cube: each one is held or lies on a destination pad. Name a cube by its id.',
    {
      nearest: [],
    },
  );

export const unknownCamera = (cameraId: string, cameraIds: readonly string[]): RuntimeError =>
  runtimeError('UNKNOWN_CAMERA', `The robot has no camera "${shownId(cameraId)}"; it has ${list(cameraIds)}.`, {
    allowed: cameraIds,
  });

export const unknownMethod = (method: string, methods: readonly string[]): RuntimeError =>
  runtimeError('METHOD_NOT_FOUND', `The runtime has no method "${shownId(method)}"; see the list in the details.`, {
    allowed: methods,
  });

/** Newer LiveKit clients send requests of any length: a huge one is not counted to its last byte. */
export const requestTooLarge = (payload: string): RuntimeError => {
  const counted = payload.length <= COUNTED_MAX_CHARS;
  const bytes = counted ? utf8Bytes(payload) : payload.length;
  return runtimeError(
    'PAYLOAD_TOO_LARGE',
    `The request has ${counted ? '' : 'at least '}${bytes} bytes; one call can carry ${RPC_PAYLOAD_MAX_BYTES} at most.`,
    { bytes, allowed: { max_bytes: RPC_PAYLOAD_MAX_BYTES } },
  );
};
const COUNTED_MAX_CHARS = 4 * RPC_PAYLOAD_MAX_BYTES;

export const replyTooLarge = (bytes: number, hint: string): RuntimeError =>
  runtimeError(
    'PAYLOAD_TOO_LARGE',
    `The reply would have ${bytes} bytes; one call can carry ${RPC_PAYLOAD_MAX_BYTES} at most. ${hint}`,
    {
      bytes,
      allowed: { max_bytes: RPC_PAYLOAD_MAX_BYTES },
      hint,
    },
  );

/** Names the entities, so that a caller can ask for them a few at a time. */
export const sceneTooLarge = (bytes: number, entityIds: readonly string[]): RuntimeError => {
  // A third of headroom: poses differ in length.
  const atOnce = Math.floor((entityIds.length * RPC_PAYLOAD_MAX_BYTES) / bytes / 1.5);
  const hint = `Ask with entity_ids, ${atOnce} at a time (details.entity_ids has them), or with kinds, such as {"kinds": ["robot", "pad"]}.`;
  return runtimeError(
    'PAYLOAD_TOO_LARGE',
    `The ${entityIds.length} entities asked for need ${bytes} bytes; one call can carry ${RPC_PAYLOAD_MAX_BYTES} at most. ${hint}`,
    {
      bytes,
      allowed: { max_bytes: RPC_PAYLOAD_MAX_BYTES, entity_ids: atOnce },
      entity_count: entityIds.length,
      // The newest ones, as many as certainly fit one reply.
      entity_ids: entityIds.slice(-MOST_IDS_NAMED),
      hint,
    },
  );
};
const MOST_IDS_NAMED = 400;

export const notReady = (part: string, fraction: number): RuntimeError => {
  const percent = Math.round(clamp(fraction, 0, 1) * 100);
  return runtimeError('NOT_READY', `The robot is still loading: ${part}, ${percent}% done. Call again in a moment.`, {
    progress: { part, current: percent, total: 100, unit: '%' },
  });
};

export const suspended = (gapMs: number): RuntimeError =>
  runtimeError(
    'RUNTIME_SUSPENDED',
    `The browser froze the tab for ${(gapMs / 1000).toFixed(1)} s. The action ended and the robot stopped. Read the state, then call again.`,
    { gap_ms: Math.round(gapMs) },
  );

/** An action that ran while its tab was reloaded, or while its simulation broke down and was started again. */
export const interrupted = (name: string, kind: 'tool' | 'capture'): RuntimeError =>
  runtimeError(
    'RUNTIME_SUSPENDED',
    `The tab was reloaded or started its simulation again while ${name} ran; the action ended there. Read the state, then call again with a new action_id.`,
    {
      // It is no longer known how far it got. A picture changes nothing.
      attempted: kind === 'tool',
      worldChanged: kind === 'tool' ? 'unknown' : 'no',
      interrupted_by: 'reload',
      hint: 'This action_id keeps this answer; a new one runs.',
    },
  );

export const busy = (asked: string, active: ActiveAction, parts: readonly string[]): RuntimeError =>
  runtimeError(
    'BUSY',
    `${asked} needs the ${list(parts)}, which ${active.name} (${saidId(active.action_id)}) uses: ${active.phase}${progressText(active)}. Wait for it or cancel it.`,
    {
      active_action: {
        action_id: active.action_id,
        kind: active.kind,
        name: active.name,
        phase: active.phase,
        ...(active.progress ? { progress: active.progress } : {}),
      },
      parts: [...parts],
    },
  );

/** @param retryAfterMs until one more call is served */
export const tooManyCalls = (retryAfterMs: number): RuntimeError =>
  runtimeError(
    'BUSY',
    `This caller sends too many calls: more than ${CALLS_PER_SECOND_MAX} a second, or ${CALLS_AT_ONCE_MAX} at once. This call was not read. Call again in ${retryAfterMs} ms, and less often. A stop, a zero velocity and runtime.cancel are still accepted, until ${STOPS_AT_ONCE_MAX} of them wait.`,
    {
      limit: 'calls',
      allowed: { calls_per_second: CALLS_PER_SECOND_MAX, calls_at_once: CALLS_AT_ONCE_MAX },
      retry_after_ms: retryAfterMs,
    },
  );

export const tooManyCaptures = (): RuntimeError =>
  runtimeError(
    'BUSY',
    `This caller already waits for ${CAPTURES_WAITING_MAX} pictures, the most that are allowed. Call again when one of them has come.`,
    { limit: 'captures_waiting', allowed: { captures_waiting: CAPTURES_WAITING_MAX }, retry_after_ms: RETRY_AFTER_MS },
  );

export const tooManyJoined = (name: string, actionId: string): RuntimeError =>
  runtimeError(
    'BUSY',
    `${JOINED_CALLS_MAX} calls of this caller already wait for the end of ${name} (${saidId(actionId)}), so this one does not wait too. The action itself is not affected. Read its result with runtime.action.`,
    {
      limit: 'calls_on_one_action',
      allowed: { calls_on_one_action: JOINED_CALLS_MAX },
      action_id: actionId,
      retry_after_ms: RETRY_AFTER_MS,
    },
  );

/** Used where the time until there is room is unknown. */
const RETRY_AFTER_MS = 1_000;

export const envelopeDenied = (): RuntimeError =>
  runtimeError('PERMISSION_DENIED', 'The simulator takes no signed envelopes; call runtime.tools_call instead.');

export const cancelled = (by: Caller): RuntimeError =>
  runtimeError('CANCELLED', `The action was cancelled by ${saidCaller(by)}. Read the state before you go on.`, {
    cancelled_by: callerName(by),
    canceller: callerOnWire(by),
  });

export const superseded = (byActionId: string, byName: string, by: Caller): RuntimeError =>
  runtimeError('CANCELLED', `The action was replaced by ${byName} (${saidId(byActionId)}) of ${saidCaller(by)}.`, {
    superseded_by: byActionId,
    superseder: callerOnWire(by),
  });

export const deadlineExceeded = (deadlineS: number, phase: string, progress: unknown): RuntimeError =>
  runtimeError(
    'DEADLINE_EXCEEDED',
    `The deadline of ${deadlineS} s passed while ${phase}, so the runtime stopped the action. Allow more time or split the task.`,
    { deadline_s: deadlineS, phase, ...(progress === undefined ? {} : { progress }) },
  );

export const duplicateAction = (actionId: string, firstName: string): RuntimeError =>
  runtimeError(
    'DUPLICATE_ACTION',
    `The action id "${shownId(actionId)}" was used for another call (${firstName}). Use a new id for a new action.`,
    {
      action_id: actionId,
      first_name: firstName,
    },
  );

export const nothingActive = (): RuntimeError =>
  runtimeError('ACTION_NOT_FOUND', 'No action is active, so there is nothing to cancel.');

export const actionNotFound = (actionId: string): RuntimeError =>
  runtimeError(
    'ACTION_NOT_FOUND',
    `No action with the id "${shownId(actionId)}" is active or remembered. Call runtime.action without an id to list the last ones.`,
    {
      action_id: actionId,
    },
  );

export const actionAlreadyEnded = (actionId: string, status: string): RuntimeError =>
  runtimeError(
    'ACTION_NOT_FOUND',
    `The action "${shownId(actionId)}" has already ended (${status}), so it cannot be cancelled. Read its result with runtime.action.`,
    {
      action_id: actionId,
      ended: status,
    },
  );

export const handsFull = (heldEntityId: string): RuntimeError =>
  runtimeError('HANDS_FULL', `carry capacity reached: the robot holds ${heldEntityId}. Place it first.`, {
    held: [heldEntityId],
  });

/** @param dropped the cube that left the hands by itself last */
export const handsEmpty = (dropped: Dropped | null): RuntimeError =>
  dropped === null
    ? runtimeError('HANDS_EMPTY', 'The robot holds nothing to place. Pick a cube first.')
    : runtimeError(
        'HANDS_EMPTY',
        `The robot holds nothing to place: it dropped ${dropped.entity_id} before. Read where the cube lies, then pick it up.`,
        { dropped },
      );

/** @param words the robot's, for what takes a cube */
export const notGraspable = (entityId: string, kind: string, { hands }: Pick<RobotWords, 'hands'>): RuntimeError =>
  runtimeError('NOT_GRASPABLE', `${entityId} is a ${kind}, which the ${hands} cannot take. Pick a cube.`, { kind });

/** @param words the robot's, for what takes a cube */
export const noGraspFound = (entityId: string, reason: string, { hands }: Pick<RobotWords, 'hands'>): RuntimeError =>
  runtimeError(
    'NOT_GRASPABLE',
    `The ${hands} cannot take ${entityId} as it lies: ${reason}. Clear the space around it or pick another cube.`,
    {
      reason,
      retryable: true,
    },
  );

export const targetOccupied = (target: string, occupant: string): RuntimeError =>
  runtimeError('TARGET_OCCUPIED', `${occupant} is already at ${target}. Choose a free slot or place.`, { occupant });

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

/** Programs read both distances from the literal words "too far from cube (2.38m > 1.20m)", so the id comes after them, whatever it is. */
export const cubeTooFar = (entityId: string, distanceM: number): RuntimeError =>
  runtimeError(
    'OUT_OF_REACH',
    `${tooFar('cube', distanceM)}: ${entityId} is out of reach from here. Go nearer first: go_to ${entityId} stops within reach of it.`,
    {
      entity_id: entityId,
      distance_m: roundLength(distanceM),
      reach_m: REACH_M,
      hint: `Go nearer first: go_to ${entityId} stops within reach of it.`,
    },
  );

export const placeTooFar = (distanceM: number): RuntimeError =>
  runtimeError('OUT_OF_REACH', `${tooFar('the place', distanceM)}. Go nearer first, with go_to.`, {
    distance_m: roundLength(distanceM),
    reach_m: REACH_M,
    hint: `Go nearer first: go_to a pose within ${metres(REACH_M)} of it.`,
  });

/**
 * Programs look for its first words.
 * @param distancesM of the pads that would do, from the base
 */
export const notNearPallet = (distancesM: Readonly<Record<string, number>>): RuntimeError => {
  const byDistance = Object.entries(distancesM).sort(([, one], [, other]) => one - other);
  const [nearest] = byDistance;
  const named = byDistance.length === 1 ? `${nearest?.[0]} is` : `the nearest is ${nearest?.[0]},`;
  const where = nearest ? `${named} ${nearest[1].toFixed(2)} m away` : 'the scene has none';
  const hint = nearest ? `Go nearer first: go_to ${nearest[0]} stops within reach of it.` : 'Choose a pose on the floor.';
  return runtimeError(
    'OUT_OF_REACH',
    `not near a pallet (must be within ${metres(REACH_M)} of ${list(Object.keys(distancesM))}): ${where}. ${hint}`,
    {
      reach_m: REACH_M,
      distances_m: Object.fromEntries(Object.entries(distancesM).map(([id, value]) => [id, roundLength(value)])),
      hint,
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
    `The robot got ${facts.progressM.toFixed(2)} m towards ${facts.goal} and cannot go on, ${facts.remainingM.toFixed(2)} m before it: ${facts.blocker ? `${facts.blocker} is in the way` : 'something is in the way that it cannot name'}. Choose another way or goal.`,
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

/** For an action that ends well all the same. */
export const droppedMeanwhile = (entityId: string): string =>
  `The robot dropped ${entityId} meanwhile; result.dropped says where it is.`;

export const notStopped = (
  parts: readonly string[],
  withinS: number,
  speed: { linearMps: number; angularRps: number },
  facts: Record<string, unknown> = {},
): RuntimeError =>
  runtimeError(
    'NOT_AT_GOAL',
    `The robot should stop, but still moves after ${withinS} s (${list(parts)}): something pushes it. Remove that, then stop the robot again.`,
    {
      evidence: { linear_mps: roundLength(speed.linearMps), angular_rps: roundLength(speed.angularRps) },
      ...facts,
    },
  );

/** For a velocity that led to no motion although nothing touches the robot. */
export const didNotMove = (durationS: number, facts: Record<string, unknown>): RuntimeError =>
  runtimeError(
    'NOT_AT_GOAL',
    `The robot should have moved for ${durationS} s, but did not, although nothing is in its way. Read the state and try again. If it still does not move, call reset.`,
    facts,
  );

/** @param words the robot's, for what holds a cube */
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

/** @param reason sentences: what failed, and what to do */
export const captureFailed = (reason: string): RuntimeError =>
  runtimeError('CAPTURE_FAILED', `The picture was not delivered. ${reason}`, { reason });

/** For a runtime that cannot draw: the list of its cameras is empty. */
export const noCameras = (cameraId: string): RuntimeError =>
  runtimeError('UNKNOWN_CAMERA', `The robot has no camera "${shownId(cameraId)}". ${NO_CAMERAS}`, {
    allowed: [],
    reason: NO_CAMERAS,
  });

/** The reason why a robot without a page sends no pictures, and the remedy. */
export const NO_CAMERAS =
  'It has no cameras: it runs headless, and nothing draws what it would see. Open the robot in a browser for pictures.';

/** @param message a sentence */
export const camerasBroken = (message: string): RuntimeError =>
  runtimeError('CAPTURE_FAILED', `The robot takes no pictures now. ${message}`, { reason: message, retryable: false });

/** The runtime's operator keeps the thrown value: a caller gets the reference to it. */
export const internal = (incident: string): RuntimeError =>
  runtimeError(
    'INTERNAL',
    `Something inside the runtime failed (${incident}). Read the state, then try again. If you report it, quote the reference.`,
    {
      incident,
    },
  );

/** @param path where in the answer the number is */
export const notFinite = (path: string): RuntimeError =>
  runtimeError(
    'INTERNAL',
    `Something inside the runtime failed: "${path}" in the answer is not a finite number. Call reset to restart the scene.`,
    { path },
  );

export const broken = (incident: string): RuntimeError =>
  runtimeError('INTERNAL', `The simulation has stopped with a fault (${incident}). Call reset to restart the scene.`, {
    incident,
  });
