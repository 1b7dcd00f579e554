import { clamp } from '../../common/clamp.ts';
import { listed, quoted, shownId } from '../../common/shown-text.ts';
import { type Caller, callerName, callerOnWire, saidCaller } from '../wire/caller.ts';
import { advisedError, type RuntimeError, runtimeError } from '../wire/error-codes.ts';
import { utf8Bytes } from '../wire/json.ts';
import {
  CALLS_AT_ONCE_MAX,
  CALLS_PER_SECOND_MAX,
  CAPTURES_WAITING_MAX,
  JOINED_CALLS_MAX,
  RPC_PAYLOAD_MAX_BYTES,
  STOPS_AT_ONCE_MAX,
} from '../wire/limits.ts';
import { CANCEL_ACTIVE } from '../wire/methods.ts';
import { partsInWords, type RobotWords } from '../wire/robot.ts';
import type { ActiveAction } from '../wire/state.ts';
import { RESTART_WITH } from './skill-texts.ts';

export * from './signed-texts.ts';
export * from './skill-texts.ts';

/**
 * The sentences of failures: one builder for each case, so that each wording exists once. Each sentence states what was asked,
 * what is wrong and what to do. The ledger fills in `attempted` and `world_changed`, which it has measured.
 */

/** Quotes an id that others chose, for one of our sentences. */
const saidId = (id: string): string => quoted(shownId(id));
const nearestHint = (names: readonly string[]): string => (names.length === 0 ? '' : ` Nearest: ${listed(names)}.`);

const progressText = ({ progress }: Pick<ActiveAction, 'progress'>): string =>
  progress ? ` at ${shownProgress(progress.current)} of ${shownProgress(progress.total)} ${progress.unit}` : '';
/** A person reads centimetres; the details give a tenth of a millimetre. */
const shownProgress = (value: number): string => String(Math.round(value * 100) / 100);

export const invalidInput = (
  message: string,
  facts: { path?: string; allowed?: unknown; problem?: string; hint?: string } = {},
): RuntimeError => runtimeError('INVALID_INPUT', message, facts);

/** @param sceneIds of the scenes that exist */
export const noSuchScene = (sceneId: string, sceneIds: readonly string[]): RuntimeError =>
  invalidInput(
    `"input.scene_id" must be one of ${sceneIds.map((id) => JSON.stringify(id)).join(', ')}; it is "${shownId(sceneId)}".`,
    { path: 'input.scene_id', allowed: { enum: sceneIds } },
  );

/** @param part of the variation in the file of the scene: "place[2]" */
export const noLayout = (sceneId: string, seed: number, part: string): RuntimeError =>
  invalidInput(
    `The scene ${sceneId} has no layout for the seed ${seed}: variation.${part} of its file could not be met. Choose another seed.`,
    { path: 'input.seed' },
  );

/** @param scenesForSorting ids of the scenes that have the benchmark */
export const noSortingHere = (sceneId: string, scenesForSorting: readonly string[]): RuntimeError =>
  invalidInput(
    `"input.benchmark" sets up the sorting benchmark, and the scene ${sceneId} is not made for sorting. Choose ${listed(scenesForSorting)} with select_scene first.`,
    { path: 'input.benchmark' },
  );

/** The id that `runtime.cancel` understands as "the active action". */
export const reservedActionId = (): RuntimeError =>
  invalidInput(`"options.action_id" must not be "${CANCEL_ACTIVE}"; runtime.cancel means the active action by it.`, {
    path: 'options.action_id',
    problem: `The action_id must not be "${CANCEL_ACTIVE}".`,
  });

export const unknownSkill = (name: string, nearest: readonly string[]): RuntimeError =>
  advisedError(
    'UNKNOWN_SKILL',
    `No skill is named "${shownId(name)}".${nearestHint(nearest)}`,
    'runtime.tools_list lists all of them.',
    { nearest },
  );

export const unknownEntity = (entityId: string, nearest: readonly string[]): RuntimeError =>
  advisedError(
    'UNKNOWN_ENTITY',
    `Nothing in the scene has the id "${shownId(entityId)}".${nearestHint(nearest)}`,
    'runtime.scene_state lists all of them.',
    { entity_id: entityId, nearest },
  );

/** @param padId where it was delivered, while that is still remembered */
export const collected = (entityId: string, padId: string | null): RuntimeError =>
  advisedError(
    'UNKNOWN_ENTITY',
    `${entityId} was delivered${padId === null ? '' : ` to ${padId}`} and has been collected, so it has left the hall.`,
    'Choose another one; runtime.scene_state lists all of them.',
    { entity_id: entityId, collected: true, ...(padId === null ? {} : { pad_id: padId }), nearest: [] },
  );

export const noCubeLeft = (): RuntimeError =>
  advisedError(
    'UNKNOWN_ENTITY',
    'The alias "cube" found no free cube: each one is held or lies on a destination pad.',
    'Name a cube by its id.',
    { nearest: [] },
  );

export const unknownCamera = (cameraId: string, cameraIds: readonly string[]): RuntimeError =>
  runtimeError('UNKNOWN_CAMERA', `The robot has no camera "${shownId(cameraId)}"; it has ${listed(cameraIds)}.`, {
    allowed: cameraIds,
  });

export const unknownMethod = (method: string, methods: readonly string[]): RuntimeError =>
  runtimeError('METHOD_NOT_FOUND', `The runtime has no method "${shownId(method)}"; see the list in the details.`, {
    allowed: methods,
  });

/** Newer LiveKit clients send requests of any length, so the bytes of a huge request are not all counted. */
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
  advisedError(
    'PAYLOAD_TOO_LARGE',
    `The reply would have ${bytes} bytes; one call can carry ${RPC_PAYLOAD_MAX_BYTES} at most.`,
    hint,
    { bytes, allowed: { max_bytes: RPC_PAYLOAD_MAX_BYTES } },
  );

/** Names the entities, so that a caller can ask for them a few at a time. */
export const sceneTooLarge = (bytes: number, entityIds: readonly string[]): RuntimeError => {
  // A third of headroom: poses differ in length.
  const atOnce = Math.floor((entityIds.length * RPC_PAYLOAD_MAX_BYTES) / bytes / 1.5);
  const hint = `Ask with entity_ids, ${atOnce} at a time (details.entity_ids has them), or with kinds, such as {"kinds": ["robot", "pad"]}.`;
  return advisedError(
    'PAYLOAD_TOO_LARGE',
    `The ${entityIds.length} entities asked for need ${bytes} bytes; one call can carry ${RPC_PAYLOAD_MAX_BYTES} at most.`,
    hint,
    {
      bytes,
      allowed: { max_bytes: RPC_PAYLOAD_MAX_BYTES, entity_ids: atOnce },
      entity_count: entityIds.length,
      // The newest actions, as many as certainly fit one reply.
      entity_ids: entityIds.slice(-MOST_IDS_NAMED),
    },
  );
};
const MOST_IDS_NAMED = 400;

export const notReady = (part: string, fraction: number): RuntimeError => {
  const percent = Math.round(clamp(fraction, 0, 1) * 100);
  return advisedError('NOT_READY', `The robot is still loading: ${part}, ${percent}% done.`, 'Call again in a moment.', {
    progress: { part, current: percent, total: 100, unit: '%' },
  });
};

export const suspended = (gapMs: number): RuntimeError =>
  runtimeError(
    'RUNTIME_SUSPENDED',
    `The browser froze the tab for ${(gapMs / 1000).toFixed(1)} s. The action ended and the robot stopped. Read the state, then call again.`,
    { gap_ms: Math.round(gapMs) },
  );

/** An action that ran while its tab was reloaded, or while its simulation broke down and was restarted. */
export const interrupted = (name: string, kind: 'tool' | 'capture'): RuntimeError => {
  const problem = `The tab was reloaded or the robot started again while ${name} ran; the action ended there.`;
  return runtimeError('RUNTIME_SUSPENDED', `${problem} Read the state, then call again with a new action_id.`, {
    problem,
    // The progress of the action is lost. A picture changes nothing.
    attempted: kind === 'tool',
    worldChanged: kind === 'tool' ? 'unknown' : 'no',
    interrupted_by: 'reload',
    hint: 'This action_id keeps this answer; a new one runs.',
  });
};

/**
 * @param by the caller of the active action
 * @param words the robot's, for the part of its body that is called `arms`
 */
export const busy = (
  asked: string,
  active: ActiveAction,
  by: Caller,
  parts: readonly string[],
  words: Pick<RobotWords, 'arms'>,
): RuntimeError =>
  advisedError(
    'BUSY',
    `${asked} needs the ${listed(partsInWords(parts, words))}, which ${active.name} (${saidId(active.action_id)}) of ${saidCaller(by)} uses: ${active.phase}${progressText(active)}.`,
    'Wait for it or cancel it.',
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
export const tooManyCalls = (retryAfterMs: number): RuntimeError => {
  const problem = `This caller sends too many calls: more than ${CALLS_PER_SECOND_MAX} a second, or ${CALLS_AT_ONCE_MAX} at once. This call was not read.`;
  const hint = `Call again in ${retryAfterMs} ms, and less often.`;
  return runtimeError(
    'BUSY',
    `${problem} ${hint} A stop, a zero velocity and runtime.cancel are still accepted, until ${STOPS_AT_ONCE_MAX} of them wait.`,
    {
      problem,
      hint,
      limit: 'calls',
      allowed: { calls_per_second: CALLS_PER_SECOND_MAX, calls_at_once: CALLS_AT_ONCE_MAX },
      retry_after_ms: retryAfterMs,
    },
  );
};

export const tooManyCaptures = (): RuntimeError =>
  runtimeError(
    'BUSY',
    `This caller already waits for ${CAPTURES_WAITING_MAX} pictures, the most that are allowed. Call again when one of them has come.`,
    { limit: 'captures_waiting', allowed: { captures_waiting: CAPTURES_WAITING_MAX }, retry_after_ms: RETRY_AFTER_MS },
  );

export const tooManyJoined = (name: string, actionId: string): RuntimeError =>
  advisedError(
    'BUSY',
    `${JOINED_CALLS_MAX} calls of this caller already wait for the end of ${name} (${saidId(actionId)}), so this one does not wait too. The action itself is not affected.`,
    'Read its result with runtime.action.',
    {
      limit: 'calls_on_one_action',
      allowed: { calls_on_one_action: JOINED_CALLS_MAX },
      action_id: actionId,
      retry_after_ms: RETRY_AFTER_MS,
    },
  );

/** Used if the time until there is room is unknown. */
const RETRY_AFTER_MS = 1_000;

export const envelopeDenied = (): RuntimeError =>
  runtimeError('PERMISSION_DENIED', 'The simulator takes no signed envelopes; call runtime.tools_call instead.');

/** For a participant that stays in the room after the end of its link. */
export const linkOver = (): RuntimeError =>
  runtimeError('PERMISSION_DENIED', 'The link by which you came has ended or was revoked. Ask the owner for a new one.', {
    link_over: true,
  });

export const cancelled = (by: Caller): RuntimeError =>
  runtimeError('CANCELLED', `The action was cancelled by ${saidCaller(by)}. Read the state before you continue.`, {
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
  advisedError(
    'ACTION_NOT_FOUND',
    `No action with the id "${shownId(actionId)}" is active or remembered.`,
    'Call runtime.action without an id to list the last ones.',
    { action_id: actionId },
  );

export const actionAlreadyEnded = (actionId: string, status: string): RuntimeError =>
  advisedError(
    'ACTION_NOT_FOUND',
    `The action "${shownId(actionId)}" has already ended (${status}), so it cannot be cancelled.`,
    'Read its result with runtime.action.',
    { action_id: actionId, ended: status },
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

/** @param path of the number in the answer */
export const notFinite = (path: string): RuntimeError =>
  advisedError('INTERNAL', `Something inside the runtime failed: "${path}" in the answer is not a finite number.`, CALL_RESET, {
    path,
    restart_with: RESTART_WITH,
  });

export const broken = (incident: string): RuntimeError =>
  advisedError('INTERNAL', `The simulation has stopped with a fault (${incident}).`, CALL_RESET, {
    incident,
    restart_with: RESTART_WITH,
  });

const CALL_RESET = 'Call reset to restart the scene.';
