import { JOINT_INDEX } from '../../protocol/robots/humanoid.ts';
import { superseded } from '../../protocol/texts/error-texts.ts';
import * as texts from '../../protocol/texts/rcw-texts.ts';
import { type Caller, callerOnWire, recordKey } from '../../protocol/wire/caller.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { TRAJECTORY_TIMEOUT_MS } from '../../protocol/wire/limits.ts';
import { posedArmsOf } from '../../simulation/robot.ts';
import type { SkillOutcome } from '../action-entry.ts';
import * as actions from '../actions.ts';
import type { RuntimeCore } from '../core.ts';
import type { SkillContext } from '../skills/skill.ts';
import type { RcwState } from './rcw-state.ts';
import type { TrajectorySession } from './upper-body-state.ts';

/** Slots of the policy-order vector: legs 12, waist 1, right arm 5, left arm 5. */
const POLICY_SLOTS = 23;

/** A pose of both arms, radians: shoulder pitch, roll, yaw, elbow, wrist yaw. */
export interface ArmPose {
  r_arm: readonly number[];
  l_arm: readonly number[];
}

/** The skill that every packet calls, and the action that a session is. */
const POSES = 'set_upper_body';

/** Returns the vector in policy order: the slots before the arms are zero and marked as not to be followed. */
function policyTargets({ r_arm, l_arm }: ArmPose): number[] {
  const slots = new Array<number>(POLICY_SLOTS).fill(0);
  r_arm.forEach((rad, index) => {
    slots[JOINT_INDEX.rightArm + index] = rad;
  });
  l_arm.forEach((rad, index) => {
    slots[JOINT_INDEX.leftArm + index] = rad;
  });
  return slots;
}

/** Takes a packet: opens or keeps open its caller's session, and sends the arms to the packet's pose. */
export function takePacket(core: RuntimeCore, rcw: RcwState, pose: ArmPose, caller: Caller): readonly number[] {
  const targets = policyTargets(pose);
  const session = sessionOf(core, rcw, pose, caller);
  session.lastPacketAtMs = core.nowMs;
  session.packets += 1;
  actions.setProgress(session.entry, session.packets, session.packets, 'packets');
  posedArmsOf(core.world).command(core.world.body, targets.slice(JOINT_INDEX.rightArm, JOINT_INDEX.rightArm + 10));
  return targets;
}

/**
 * Returns the session of this caller. Another caller's session gives way, as a velocity does to a later one; the arms keep their
 * target in the meantime.
 */
function sessionOf(core: RuntimeCore, rcw: RcwState, pose: ArmPose, caller: Caller): TrajectorySession {
  const { upperBody } = rcw;
  const { session } = upperBody;
  if (session !== null && recordKey(session.entry.caller) === recordKey(caller)) return session;
  const actionId = core.deps.newActionId();
  upperBody.session = null;
  if (session !== null) actions.replace(core, session.entry, superseded(actionId, POSES, caller));
  upperBody.session = openSession(core, rcw, actionId, pose, caller);
  return upperBody.session;
}

function openSession(core: RuntimeCore, rcw: RcwState, actionId: string, pose: ArmPose, caller: Caller): TrajectorySession {
  rcw.upperBody.sessions += 1;
  const entry = actions.accept(core, {
    actionId,
    kind: 'tool',
    name: POSES,
    input: pose,
    caller,
    claims: ['arms'],
    deadlineS: null,
    phase: 'following poses',
  });
  entry.interrupt = (error) => closeSession(core, rcw, { ok: false, error });
  return { entry, lastPacketAtMs: core.nowMs, packets: 0 };
}

/** Runs the watchdog before each step: arms without a packet for `TRAJECTORY_TIMEOUT_MS` go limp. */
export function watch(core: RuntimeCore, rcw: RcwState): void {
  const { session } = rcw.upperBody;
  if (session === null) return;
  const afterMs = core.nowMs - session.lastPacketAtMs;
  if (afterMs < TRAJECTORY_TIMEOUT_MS) return;
  rcw.upperBody.timeouts += 1;
  posedArmsOf(core.world).limp(core.world.body);
  end(core, rcw, { ok: false, error: texts.trajectoryTimeout(session.packets, afterMs, core.turnGapMs) });
}

/**
 * Gives the upper body back to locomotion and disarms the watchdog. Limp arms are given back too.
 * @param by the skill
 */
export function takeBack(
  core: RuntimeCore,
  rcw: RcwState,
  by: string,
  { actionId, caller }: Pick<SkillContext, 'actionId' | 'caller'>,
): void {
  if (posedArmsOf(core.world).mode(core.world.body) !== 'policy') posedArmsOf(core.world).giveBack(core.world.body);
  const packets = rcw.upperBody.session?.packets ?? 0;
  end(core, rcw, { ok: true, result: { taken_back_by: by, taker_action_id: actionId, taker: callerOnWire(caller), packets } });
}

/** Lets the arms go limp at once, whatever they do. */
export function goLimp(core: RuntimeCore, rcw: RcwState, error: RuntimeError): void {
  posedArmsOf(core.world).limp(core.world.body);
  end(core, rcw, { ok: false, error });
}

/** Ends a session for a reason of the runtime: locomotion has the arms again. */
function closeSession(core: RuntimeCore, rcw: RcwState, outcome: SkillOutcome): void {
  posedArmsOf(core.world).giveBack(core.world.body);
  end(core, rcw, outcome);
}

function end(core: RuntimeCore, rcw: RcwState, outcome: SkillOutcome): void {
  const { session } = rcw.upperBody;
  if (session === null) return;
  rcw.upperBody.session = null;
  actions.end(core, session.entry, outcome);
}
