import * as errors from '../../protocol/texts/error-texts.ts';
import type { Caller } from '../../protocol/wire/caller.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import type { MethodRequest } from '../../protocol/wire/methods.ts';
import { CANCEL_ACTIVE, METHOD_REQUESTS } from '../../protocol/wire/methods.ts';
import { type BodyPart, isSkillName, SKILLS, type SkillInput, type SkillName } from '../../protocol/wire/skills.ts';
import type { ActiveEntry } from '../action-entry.ts';
import * as actions from '../actions.ts';
import { flushOutbox, type RuntimeCore } from '../core.ts';
import { validate } from '../input-problems.ts';
import * as lease from '../lease.ts';
import * as ledger from '../ledger.ts';
import { namedSkills, nearestNames } from '../nearest-names.ts';
import { encodeGuard, encodeReply } from '../reply.ts';
import type { Call, Reply } from '../runtime-call.ts';
import { SKILL_MODULES } from '../skills/index.ts';
import { createSkillContext, type SkillModule } from '../skills/skill.ts';
import { awaitEnd } from '../waiting-calls.ts';

/** `runtime.tools_call`: turns a payload into an action, or answers with the guard that rejects it. */
export function toolsCall(core: RuntimeCore, call: Call, reply: Reply): void {
  const request = validate(METHOD_REQUESTS['runtime.tools_call'], call.payload);
  if (!request.ok) {
    reply(encodeGuard(request.error));
    return;
  }
  const { name } = request.value;
  if (!isSkillName(name)) {
    reply(encodeGuard(errors.unknownSkill(name, nearestNames(name, namedSkills(SKILLS)))));
    return;
  }
  const notTaken = core.deps.refuseSkill?.(name) ?? null;
  if (notTaken) {
    reply(encodeGuard(notTaken));
    return;
  }
  callSkill(core, name, request.value, call.caller, reply);
}

function callSkill<N extends SkillName>(
  core: RuntimeCore,
  name: N,
  request: MethodRequest<'runtime.tools_call'>,
  caller: Caller,
  reply: Reply,
): void {
  const spec = SKILLS[name];
  // The list of skills alone names the available scenes, because files add more of them.
  const ownSchema = () => core.contract.skills(core).find((skill) => skill.name === name)?.input_schema ?? null;
  const checked = validate(spec.input, request.input, 'input', ownSchema);
  if (!checked.ok) {
    reply(encodeGuard(checked.error));
    return;
  }
  const input = checked.value as SkillInput<N>;
  const options = request.options ?? {};
  if (options.action_id === CANCEL_ACTIVE) {
    reply(encodeGuard(errors.reservedActionId()));
    return;
  }
  const actionId = options.action_id ?? core.deps.newActionId();

  const before = ledger.earlier(core.ledger, actionId, ledger.parametersKey('tool', name, input));
  if (before.kind === 'active') {
    awaitEnd(before.entry, caller, reply);
    return;
  }
  if (before.kind === 'ended') {
    reply(encodeReply(before.action.result));
    return;
  }
  if (before.kind === 'different') {
    reply(encodeGuard(errors.duplicateAction(actionId, before.name)));
    return;
  }

  const driven = lease.refusal(core, caller, name, input);
  if (driven) {
    reply(encodeGuard(driven));
    return;
  }

  if (core.fault !== null && !spec.uses.includes('simulation')) {
    reply(encodeGuard(errors.broken(core.fault)));
    return;
  }
  if (core.emergency.latched !== null) {
    reply(encodeGuard(core.contract.stoppedError(core.emergency.latched)));
    return;
  }
  const module: SkillModule<N> = SKILL_MODULES[name];
  const problem = module.check?.(core, input) ?? null;
  if (problem) {
    reply(encodeGuard(problem));
    return;
  }

  const parts = module.claims?.(core, input) ?? spec.uses;
  const claims = module.keepsArms?.(input) ? parts : withAstrayArms(core, parts);
  const takesOver = module.takesOver?.(input) ?? (() => false);
  const refusal = (wanted: readonly BodyPart[]): RuntimeError | null => {
    const refuser = ledger.holders(core.ledger, wanted).find((entry) => !takesOver(entry));
    return refuser
      ? errors.busy(
          name,
          ledger.activeView(refuser),
          refuser.caller,
          ledger.overlap(refuser.claims, wanted),
          core.world.robot.model.words,
        )
      : null;
  };
  // The parts it is called for come first, because the caller understands those.
  const busy = refusal(parts) ?? refusal(claims);
  if (busy) {
    reply(encodeGuard(busy));
    return;
  }
  for (const entry of ledger.holders(core.ledger, claims))
    giveWay(core, entry, claims, errors.superseded(actionId, name, caller));

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
  actions.start(core, entry, () => module.run(createSkillContext(core, entry), input));
}

/** Adds the arms to an action that moves the base when an ended action left them away from rest: it brings them back first. */
const withAstrayArms = (core: RuntimeCore, parts: readonly BodyPart[]): readonly BodyPart[] =>
  core.armsAstray && parts.includes('base') && !parts.includes('arms') ? [...parts, 'arms'] : parts;

/**
 * Ends an action at once when it moved only parts that are taken over; otherwise it keeps the other parts until they have come to
 * rest.
 */
function giveWay(core: RuntimeCore, entry: ActiveEntry, taken: readonly BodyPart[], error: RuntimeError): void {
  entry.claims = entry.claims.filter((part) => !taken.includes(part));
  if (entry.claims.length === 0) actions.replace(core, entry, error);
  else actions.requestStop(core, entry, error);
}

/** Calls a skill on behalf of the page itself, in the same way as a participant does. */
export function callFromPage(core: RuntimeCore, name: SkillName, input: Record<string, unknown>, by: Caller): void {
  toolsCall(core, { caller: by, callerName: null, payload: { name, input }, isSigned: false }, () => undefined);
  flushOutbox(core);
}
