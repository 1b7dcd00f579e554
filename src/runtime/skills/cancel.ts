import * as errors from '../../protocol/texts/error-texts.ts';
import { STOP_WITHIN_S } from '../../protocol/wire/limits.ts';
import type { BodyPart } from '../../protocol/wire/skills.ts';
import * as base from '../../simulation/base.ts';
import type { ActiveEntry, SkillRun } from '../action-entry.ts';
import * as actions from '../actions.ts';
import type { RuntimeCore } from '../core.ts';
import { isStop } from '../ledger.ts';
import { noteCancel } from '../repeated-cancels.ts';
import { movingNow } from '../stop.ts';
import { type SkillModule, steps, until } from './skill.ts';
import { notStopped } from './standing.ts';

/** The parts that a stop brings to rest. A head that no action turns may look where the hands were. */
const STOPPED_PARTS: readonly BodyPart[] = ['base', 'arms'];

export const cancelSkill: SkillModule<'cancel'> = {
  *run(ctx): SkillRun {
    const { core } = ctx;
    const others = [...core.ledger.active.values()].filter((entry) => entry.kind === 'tool' && !isStop(entry));
    ctx.phase('stopping');
    for (const entry of others) {
      if (entry.stage.kind !== 'stopping') noteCancel(core, entry, ctx.caller);
      actions.requestStop(core, entry, errors.cancelled(ctx.caller));
    }
    if (!isTaken(core, 'base')) base.setCommand(core.world, { vx: 0, vy: 0, wz: 0 });
    const haveEnded = () => others.every((entry) => core.ledger.active.get(entry.actionId) !== entry);
    // Every stop ends within its own limit; this one waits a step longer than that.
    yield* until(() => haveEnded() && movingParts(core).length === 0, steps(STOP_WITHIN_S) + 2);
    const cancelled = { cancelled_action_ids: others.map((entry) => entry.actionId) };
    const moving = [...new Set([...movingParts(core), ...others.flatMap((entry) => headLeftMoving(core, entry))])];
    if (moving.length === 0) return { ok: true, result: cancelled };
    return { ok: false, error: notStopped(core.world, moving, STOP_WITHIN_S, { still_moving: moving, ...cancelled }) };
  },
};

/** Returns the head if it still moves: it is checked where the action that turned it is stopped. */
function headLeftMoving(core: RuntimeCore, { actionId }: ActiveEntry): string[] {
  const stillMoving = core.ledger.ended.get(actionId)?.result.error?.details.still_moving;
  return Array.isArray(stillMoving) && stillMoving.includes('head') ? ['head'] : [];
}

/** Returns the parts that move now and belong to no action: an action that began after this one may move its own parts. */
const movingParts = (core: RuntimeCore): string[] =>
  movingNow(
    core,
    STOPPED_PARTS.filter((part) => !isTaken(core, part)),
  );

const isTaken = (core: RuntimeCore, part: BodyPart): boolean =>
  [...core.ledger.active.values()].some((entry) => entry.stage.kind === 'running' && entry.claims.includes(part));
