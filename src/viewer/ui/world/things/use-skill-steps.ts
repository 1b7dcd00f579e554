import { useCallback, useRef, useState } from 'react';
import { runtimeErrorSchema } from '../../../../protocol/wire/error-codes.ts';
import { useEngine } from '../../common/engine-context.ts';
import { OUTCOME_TEXTS, outcomeOfError } from '../../common/outcomes.ts';
import { remedy } from '../../common/texts.ts';
import type { CardAction } from './card-texts.ts';

/** The outcome of the last request from here, in words. */
export interface StepsOutcome {
  /** A rejection is `calm`: nothing has moved, and the hint names the first step. */
  tone: 'active' | 'good' | 'calm' | 'bad';
  text: string;
  /** The remedy for a rejection or a failure. */
  hint: string | null;
}

/** Sends the calls of a card's offer to the robot, one after the other, and reports the outcome. */
export function useSkillSteps(): {
  outcome: StepsOutcome | null;
  run: (action: Pick<CardAction, 'label' | 'steps'>) => void;
  forget: () => void;
} {
  const engine = useEngine();
  const [outcome, setOutcome] = useState<StepsOutcome | null>(null);
  /** The number of the latest request, which takes precedence over earlier ones. */
  const turn = useRef(0);
  const forget = useCallback(() => {
    turn.current += 1;
    setOutcome(null);
  }, []);
  const run = useCallback(
    (action: Pick<CardAction, 'label' | 'steps'>) => {
      turn.current += 1;
      const mine = turn.current;
      const report = (next: StepsOutcome) => {
        if (turn.current === mine) setOutcome(next);
      };
      const work = async () => {
        report({ tone: 'active', text: `${action.label}: under way.`, hint: null });
        for (const step of action.steps) {
          const reply = await engine.call('runtime.tools_call', step);
          const problem = problemOf(reply);
          if (problem) return report(problem);
        }
        report({ tone: 'good', text: `${action.label}: done.`, hint: null });
      };
      work().catch(() =>
        report({ tone: 'bad', text: 'The robot did not answer.', hint: 'If this does not change, reload the page.' }),
      );
    },
    [engine],
  );
  return { outcome, run, forget };
}

/** Describes the problem of a call; null for one that was carried out. */
export function problemOf(reply: unknown): StepsOutcome | null {
  if (typeof reply !== 'object' || reply === null) return { tone: 'bad', text: 'The robot gave no answer.', hint: null };
  if ('status' in reply && reply.status === 'done') return null;
  const error = 'error' in reply ? runtimeErrorSchema.safeParse(reply.error) : null;
  if (!error?.success) return { tone: 'bad', text: 'The robot refused without a reason.', hint: null };
  const outcome = outcomeOfError(error.data);
  const text = `${OUTCOME_TEXTS[outcome]}: ${error.data.message}`;
  return { tone: outcome === 'failed' ? 'bad' : 'calm', text, hint: remedy(error.data) };
}
