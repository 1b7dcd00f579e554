import * as errors from '../../protocol/error-texts.ts';
import { STOP_WITHIN_S } from '../../protocol/limits.ts';
import type { SkillRun } from '../action-entry.ts';
import * as actions from '../actions.ts';
import { type SkillModule, steps, until } from './skill.ts';

export const cancelSkill: SkillModule<'cancel'> = {
  *run(ctx): SkillRun {
    const { core } = ctx;
    const others = [...core.ledger.active.values()].filter((entry) => entry.kind === 'tool' && entry.actionId !== ctx.actionId);
    ctx.phase('stopping');
    for (const entry of others) actions.requestStop(core, entry, errors.cancelled(ctx.caller));
    // Every stop ends within its own limit; this one waits a step longer than they may take.
    yield* until(() => others.every((entry) => core.ledger.active.get(entry.actionId) !== entry), steps(STOP_WITHIN_S) + 2);
    return { ok: true, result: { cancelled_action_ids: others.map((entry) => entry.actionId) } };
  },
};
