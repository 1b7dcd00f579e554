import { SERVICE_HOLDER } from '../protocol/signed/signed-claims.ts';
import type { Caller } from '../protocol/wire/caller.ts';
import { callerName } from '../protocol/wire/caller.ts';
import type { EmergencyAnswer, EmergencyRelease, LatchedState } from '../protocol/wire/emergency-stop.ts';
import { EMERGENCY_ANSWER_MAX_MS, keptName, keptReason, PRESS_ID_MAX_CHARS } from '../protocol/wire/emergency-stop.ts';
import { latchedButMoves } from '../protocol/wire/emergency-stop-errors.ts';
import * as grasp from '../simulation/grasp.ts';
import * as actions from './actions.ts';
import { onWall, type RuntimeCore } from './core.ts';
import type { EmergencyStop, KeptEmergency, WaitingPress } from './emergency-state.ts';
import { encodeReply } from './reply.ts';
import type { Call, Reply } from './runtime-call.ts';

/** The details that a press carries. */
export interface PressFacts {
  reason?: string | null | undefined;
  /** The presser's name in the room. */
  name?: string | null | undefined;
  /** The control service's id of the press. */
  pressId?: string | undefined;
  /** The id by which a call claims to be a press of the control service. Only the room's own report confirms it. */
  saidPressId?: string | undefined;
  /** When it was latched, for a stop that outlived its runtime, milliseconds since the epoch on the wall clock. @default now */
  sinceMs?: number | undefined;
}

/** Number of remembered ids of each kind. Each id is one press of a person or a program. */
const PRESS_IDS_MAX = 32;
/** Number of presses that wait for the standstill. Further presses are answered at once with the current state. */
const WAITING_MAX = 256;

/**
 * Latches the emergency stop: the base brakes as hard as it may, the arms do what is safe for this body, every action ends with
 * an error that names who pressed, and no command is accepted until a person releases it. A further press changes nothing, but
 * carries out the body's part again. A press that a person has already released is ignored. If the room reports the same press,
 * its statement of who pressed replaces the earlier one.
 */
export function press(core: RuntimeCore, by: Caller, { reason, name, pressId, saidPressId, sinceMs }: PressFacts = {}): void {
  const { emergency, contract } = core;
  const known = pressId?.slice(0, PRESS_ID_MAX_CHARS);
  if (known !== undefined) {
    if (emergency.release?.pressIds.includes(known)) return;
    if (!emergency.pressIds.includes(known)) emergency.pressIds = [...emergency.pressIds, known].slice(-PRESS_IDS_MAX);
  }
  const isNew = emergency.latched === null;
  if (emergency.latched === null) {
    emergency.latched = { by, name: keptName(name), sinceMs: sinceMs ?? onWall(core, core.nowMs), reason: keptReason(reason) };
    emergency.saidPressId = saidPressId ?? null;
  } else if (by.kind === 'service' && known !== undefined && known === emergency.saidPressId)
    emergency.latched = { ...emergency.latched, by, name: keptName(name) };
  if (core.fault === null) {
    const error = contract.stoppedError(emergency.latched);
    contract.emergencyStop(core, error);
    for (const entry of [...core.ledger.active.values()]) if (entry.kind === 'tool') actions.requestStop(core, entry, error);
    contract.bodyStops(core);
  }
  if (isNew || known !== undefined) reportChanged(core);
}

/** Releases the stop, for a person at the robot; no call leads here. Commands are accepted again; the release moves nothing. */
export function release(core: RuntimeCore): void {
  const { emergency } = core;
  if (emergency.latched === null) return;
  const before = emergency.release?.pressIds ?? [];
  emergency.release = {
    atMs: onWall(core, core.nowMs),
    pressIds: [...before, ...emergency.pressIds].slice(-PRESS_IDS_MAX),
    place: 'robot_page',
  };
  emergency.latched = null;
  emergency.pressIds = [];
  emergency.saidPressId = null;
  reportChanged(core);
}

/**
 * `runtime.emergency_stop`: presses, and answers when the robot stands, or after `EMERGENCY_ANSWER_MAX_MS` with the state at that
 * moment. An invalid payload does not prevent the press.
 */
export function emergencyStopCall(core: RuntimeCore, { caller, callerName: name, payload }: Call, reply: Reply): void {
  const { reason, press_id: pressId } =
    typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
  // Ids of other callers are ignored: they could match a released press, or evict the service's own ids from memory.
  const isService = caller.kind === 'holder' && caller.holder === SERVICE_HOLDER;
  const saidPressId = typeof pressId === 'string' ? pressId : undefined;
  press(core, caller, { reason: keptReason(reason), name, pressId: isService ? saidPressId : undefined, saidPressId });
  const pressed = { reply, pressedAtMs: core.nowMs };
  if (stands(core) || core.emergency.waiting.length >= WAITING_MAX) answer(core, pressed);
  else core.emergency.waiting.push(pressed);
}

/** Answers the waiting presses when the robot stands or their wait is over. Runs after each step. */
export function reportStanding(core: RuntimeCore): void {
  const { waiting } = core.emergency;
  if (waiting.length === 0) return;
  const isStill = stands(core);
  for (const pressed of waiting.splice(0)) {
    if (isStill || core.nowMs - pressed.pressedAtMs >= EMERGENCY_ANSWER_MAX_MS) answer(core, pressed);
    else waiting.push(pressed);
  }
}

/** Returns the stop's part of the state: who latched it and why, and the last release. */
export function emergencyPart({ emergency }: RuntimeCore): {
  emergency_stop: LatchedState | null;
  emergency_release?: EmergencyRelease;
} {
  const { latched, release: last } = emergency;
  return {
    emergency_stop: latched && view(latched),
    ...(last
      ? { emergency_release: { at_ms: last.atMs, press_ids: [...last.pressIds], ...(last.place ? { place: last.place } : {}) } }
      : {}),
  };
}

/** Returns the state that is restored after a reload. */
export const keepEmergency = ({ emergency: { latched, pressIds, release: last } }: RuntimeCore): KeptEmergency => ({
  latched: latched && { ...latched },
  pressIds: [...pressIds],
  release: last && { ...last, pressIds: [...last.pressIds] },
});

/** Restores the kept state. A present latch stays, and so does a kept one: only a person releases either. */
export function restoreEmergency(core: RuntimeCore, kept: KeptEmergency): void {
  const { emergency } = core;
  if (core.deps.emergency === undefined) {
    emergency.latched ??= kept.latched;
    emergency.pressIds = [...new Set([...kept.pressIds, ...emergency.pressIds])].slice(-PRESS_IDS_MAX);
    emergency.release ??= kept.release;
  }
  holdBody(core);
}

/** Stops the new body that a restart has created under a latched emergency stop. */
export function holdBody(core: RuntimeCore): void {
  if (core.emergency.latched !== null) press(core, core.emergency.latched.by);
}

const view = ({ by, name, sinceMs, reason }: EmergencyStop): LatchedState => ({
  by: callerName(by),
  ...(name ? { by_name: name } : {}),
  since_ms: sinceMs,
  reason,
});

/** Returns whether all commanded motion has ended. A world whose physics broke is not stepped. */
const stands = (core: RuntimeCore): boolean => core.fault !== null || core.contract.bodyStands(core);

/** Answers in the form of an action. A press itself is not an action: nothing ends or replaces it. */
function answer(core: RuntimeCore, { reply, pressedAtMs }: WaitingPress): void {
  const { latched } = core.emergency;
  const held = core.fault === null ? grasp.heldEntityId(core.world) : null;
  const afterMs = Math.round(core.nowMs - pressedAtMs);
  const reported: EmergencyAnswer = {
    // A person may have released the stop meanwhile, or this press before it arrived.
    emergency_stop: latched && view(latched),
    stands: stands(core),
    after_ms: afterMs,
    held_entity_ids: held === null ? [] : [held],
  };
  const startedAtMs = onWall(core, pressedAtMs);
  const meta = {
    action_id: core.deps.newActionId(),
    started_at_ms: startedAtMs,
    finished_at_ms: startedAtMs + afterMs,
    duration_ms: afterMs,
  };
  const text = encodeReply(
    reported.stands ? { status: 'done', result: reported, meta } : { status: 'failed', error: latchedButMoves(reported), meta },
  );
  core.outbox.push(() => reply(text));
}

function reportChanged(core: RuntimeCore): void {
  core.outbox.push(() => core.deps.onEmergency?.(keepEmergency(core)));
  const { latched } = core.emergency;
  const event = { type: 'emergency_stop', at_ms: onWall(core, core.nowMs), emergency_stop: latched && view(latched) } as const;
  core.outbox.push(() => core.deps.onEvent?.(event));
}
