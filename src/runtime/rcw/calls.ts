import * as errors from '../../protocol/texts/error-texts.ts';
import * as texts from '../../protocol/texts/rcw-texts.ts';
import type { Caller } from '../../protocol/wire/caller.ts';
import { CONTROL_METHOD } from '../../protocol/wire/driver.ts';
import { unsignedStop } from '../../protocol/wire/emergency-stop-errors.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { TRAJECTORY_TIMEOUT_MS } from '../../protocol/wire/limits.ts';
import { CANCEL_ACTIVE, METHOD_REQUESTS, type MethodRequest } from '../../protocol/wire/methods.ts';
import {
  BODY_SKILLS,
  isRcwSkillName,
  RCW_SKILLS,
  type RcwSkillInput,
  type RcwSkillName,
} from '../../protocol/wire/rcw-skills.ts';
import type { SkillRun } from '../action-entry.ts';
import * as actions from '../actions.ts';
import { cancel } from '../calls/cancel.ts';
import type { RuntimeCore } from '../core.ts';
import { emergencyStopCall } from '../emergency-stop.ts';
import { validate } from '../input-problems.ts';
import * as lease from '../lease.ts';
import * as ledger from '../ledger.ts';
import { namedSkills, nearestNames } from '../nearest-names.ts';
import { encodeGuard, encodeReply } from '../reply.ts';
import type { Call, Reply } from '../runtime-call.ts';
import { createSkillContext, type SkillContext } from '../skills/skill.ts';
import { awaitEnd } from '../waiting-calls.ts';
import { notReady } from './body-link.ts';
import { instantResult, packetOf, rememberPacket } from './packets.ts';
import type { RcwState } from './rcw-state.ts';
import { getState, setVelocity, stop } from './skills.ts';
import { takePacket } from './upper-body.ts';

/** `runtime.tools_call` for the physical robot's contract: checks signed control, then the body's readiness, then the input. */
export function toolsCall(core: RuntimeCore, rcw: RcwState, call: Call, reply: Reply): void {
  const text = answer(core, rcw, call, reply);
  if (text !== null) reply(text);
}

/** @returns the answer, or null when the call became an action that answers `reply` at its end */
function answer(core: RuntimeCore, rcw: RcwState, call: Call, reply: Reply): string | null {
  const named = nameOf(call.payload);
  const closed = named !== null && isBodySkill(named) ? gates(core, rcw, call, named) : null;
  if (closed) return encodeGuard(closed);
  const request = validate(METHOD_REQUESTS['runtime.tools_call'], call.payload);
  if (!request.ok) return encodeGuard(request.error);
  const { name, options = {} } = request.value;
  if (!isRcwSkillName(name)) return encodeGuard(errors.unknownSkill(name, nearestNames(name, namedSkills(RCW_SKILLS))));
  const input = validate(RCW_SKILLS[name].input, request.value.input, 'input');
  if (!input.ok) return encodeGuard(input.error);
  if (options.action_id === CANCEL_ACTIVE) return encodeGuard(errors.reservedActionId());
  const actionId = options.action_id ?? core.deps.newActionId();
  return callSkill(core, rcw, { name, input: input.value, options, actionId, caller: call.caller } as SkillCall, reply);
}

/** `runtime.cancel` moves the body too, so it needs a signature like every call that does. */
export function cancelCall(core: RuntimeCore, rcw: RcwState, call: Call, reply: Reply): void {
  const denied = unsigned(rcw, call, 'runtime.cancel');
  if (denied) reply(encodeGuard(denied));
  else cancel(core, call, reply);
}

/** `runtime.emergency_stop`: callers that may not drive must not lock the robot either, so it is signed like every command. */
export function emergencyCall(core: RuntimeCore, rcw: RcwState, call: Call, reply: Reply): void {
  if (rcw.signedOnly && !call.isSigned) reply(encodeGuard(unsignedStop()));
  else emergencyStopCall(core, call, reply);
}

/** `runtime.control`: signed too, because callers that may not drive must not keep others from driving. */
export function controlCall(core: RuntimeCore, rcw: RcwState, call: Call, reply: Reply): void {
  const denied = unsigned(rcw, call, CONTROL_METHOD);
  if (denied) reply(encodeGuard(denied));
  else lease.controlCall(core, call, reply);
}

/**
 * Runs the gates for a payload that is not JSON: one that names a skill of the body must pass them before its error is reported.
 * @param text the raw payload
 */
export function gateUnreadable(core: RuntimeCore, rcw: RcwState, call: Omit<Call, 'payload'>, text: string): RuntimeError | null {
  const named = BODY_SKILLS.find((name) => text.includes(`"${name}"`));
  return named === undefined ? null : gates(core, rcw, call, named);
}

const gates = (core: RuntimeCore, rcw: RcwState, call: Omit<Call, 'payload'>, name: string): RuntimeError | null =>
  unsigned(rcw, call, name) ?? notReady(core, rcw);

const unsigned = ({ signedOnly }: RcwState, { isSigned }: Omit<Call, 'payload'>, name: string): RuntimeError | null =>
  signedOnly && !isSigned ? texts.unsignedDenied(name) : null;

const isBodySkill = (name: string): boolean => BODY_SKILLS.some((body) => body === name);

const nameOf = (payload: unknown): string | null =>
  typeof payload === 'object' && payload !== null && 'name' in payload && typeof payload.name === 'string' ? payload.name : null;

type SkillCallOf<N extends RcwSkillName> = N extends RcwSkillName
  ? {
      name: N;
      input: RcwSkillInput<N>;
      options: NonNullable<MethodRequest<'runtime.tools_call'>['options']>;
      actionId: string;
      caller: Caller;
    }
  : never;
/** A call with an input that was checked against the schema of its skill. */
type SkillCall = SkillCallOf<RcwSkillName>;

function callSkill(core: RuntimeCore, rcw: RcwState, call: SkillCall, reply: Reply): string | null {
  const { name, input, actionId, caller } = call;
  const key = ledger.parametersKey('tool', name, input);
  const packet = packetOf(rcw, actionId);
  if (packet) {
    return packet.parametersKey === key ? packet.reply : encodeGuard(errors.duplicateAction(actionId, 'set_upper_body'));
  }
  const before = ledger.earlier(core.ledger, actionId, key);
  if (before.kind === 'different') return encodeGuard(errors.duplicateAction(actionId, before.name));
  if (before.kind === 'ended') return encodeReply(before.action.result);
  if (before.kind === 'active') {
    awaitEnd(before.entry, caller, reply);
    return null;
  }
  const driven = lease.refusal(core, caller, name, input);
  if (driven) return encodeGuard(driven);
  if (name === 'get_state') return encodeReply(instantResult(core, actionId, { state: getState(core) }));
  if (name === 'set_upper_body') {
    const result = {
      policy_targets: takePacket(core, rcw, call.input, caller),
      upper_body_only: true,
      timeout_ms: TRAJECTORY_TIMEOUT_MS,
    };
    const text = encodeReply(instantResult(core, actionId, result));
    rememberPacket(rcw, caller, { actionId, parametersKey: key, reply: text });
    return text;
  }
  start(core, rcw, call, reply);
  return null;
}

function start(core: RuntimeCore, rcw: RcwState, call: SkillCall, reply: Reply): void {
  const { name, input, options, caller, actionId } = call;
  const claims = RCW_SKILLS[name].uses;
  // A body has one velocity: the later command counts.
  for (const entry of ledger.holders(core.ledger, claims))
    actions.replace(core, entry, errors.superseded(actionId, name, caller));
  const entry = actions.accept(core, {
    actionId,
    kind: 'tool',
    name,
    input,
    caller,
    claims,
    deadlineS: options.deadline_s ?? null,
    phase: 'starting',
  });
  awaitEnd(entry, caller, reply);
  actions.start(core, entry, () => runOf(createSkillContext(core, entry), rcw, call));
}

function runOf(ctx: SkillContext, rcw: RcwState, call: SkillCall): SkillRun {
  return call.name === 'set_velocity' ? setVelocity(ctx, rcw, call.input) : stop(ctx, rcw);
}

/**
 * Stops the robot for the button at the robot, or when no one can reach the robot; no gate can refuse it. Under a latched
 * emergency stop nothing is left to stop, and limp arms stay limp.
 */
export function stopFromPage(core: RuntimeCore, rcw: RcwState, by: Caller): void {
  if (core.emergency.latched !== null) return;
  rcw.heldVelocity.stopped = { by, atMs: core.nowMs };
  start(core, rcw, { name: 'stop', input: {}, options: {}, caller: by, actionId: core.deps.newActionId() }, () => undefined);
}
