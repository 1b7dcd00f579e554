import { withinLimit } from '../../common/clamp.ts';
import * as texts from '../../protocol/texts/rcw-texts.ts';
import { MAX_ANGULAR_RPS, MAX_LINEAR_MPS } from '../../protocol/wire/limits.ts';
import type { RcwSkillInput } from '../../protocol/wire/rcw-skills.ts';
import type { RuntimeState } from '../../protocol/wire/state.ts';
import * as base from '../../simulation/base.ts';
import type { SkillRun } from '../action-entry.ts';
import { onWall, type RuntimeCore } from '../core.ts';
import { robotState } from '../reads/robot-state.ts';
import { noteCancel } from '../repeated-cancels.ts';
import { SETTLE_STEPS, type SkillContext, settle, steps } from '../skills/skill.ts';
import * as held from './held-velocity.ts';
import type { RcwState } from './rcw-state.ts';
import { takeBack } from './upper-body.ts';

/** A robot that something heavier pushes would never stand still. */
const STOPS_WITHIN_S = 5;

/** Holds the velocity until another command or the deadline of its call; done once the body drives with it. */
export function* setVelocity(
  { core, actionId, caller, deadlineAtMs, phase }: SkillContext,
  rcw: RcwState,
  input: RcwSkillInput<'set_velocity'>,
): SkillRun {
  const command = {
    vx: withinLimit(input.vx, MAX_LINEAR_MPS),
    vy: withinLimit(input.vy, MAX_LINEAR_MPS),
    vyaw: withinLimit(input.vyaw, MAX_ANGULAR_RPS),
  };
  takeBack(core, rcw, 'set_velocity', { actionId, caller });
  const end = deadlineAtMs === null ? null : { atMs: deadlineAtMs, actionId };
  held.hold(core, rcw, { vx: command.vx, vy: command.vy, wz: command.vyaw }, { actionId, name: 'set_velocity', caller }, end);
  phase('commanding');
  // The body gets it with its next step.
  yield;
  const holds = held.holds(core);
  const clamped = command.vx !== input.vx || command.vy !== input.vy || command.vyaw !== input.vyaw;
  return {
    ok: true,
    result: { command, holds, ...(holds && end !== null ? { ends_at_ms: onWall(core, end.atMs) } : {}) },
    ...(clamped
      ? { degraded: true, note: `Clamped to ${MAX_LINEAR_MPS} m/s and ${MAX_ANGULAR_RPS} rad/s; see result.command.` }
      : {}),
  };
}

/** Stops the base. Done when the base has stood for the settle window, measured. */
export function* stop({ core, actionId, caller, phase }: SkillContext, rcw: RcwState): SkillRun {
  takeBack(core, rcw, 'stop', { actionId, caller });
  const { command } = rcw.heldVelocity;
  if (command !== null && held.holds(core)) noteCancel(core, command, caller);
  held.standstill(core, rcw);
  phase('stopping');
  const stands = core.stillSteps >= SETTLE_STEPS || (yield* settle(() => base.isStopped(core.world), steps(STOPS_WITHIN_S)));
  return stands ? { ok: true, result: { stopped: true } } : { ok: false, error: texts.stillPushed(STOPS_WITHIN_S) };
}

/** Returns the present state; takes no time. */
export const getState = (core: RuntimeCore): RuntimeState => robotState(core, core.nowMs);
