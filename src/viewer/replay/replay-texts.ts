import type { Verdict } from '../../protocol/files/verdict.ts';
import { STEPS_PER_SECOND } from '../../protocol/wire/limits.ts';
import type { ReplayState } from '../engine/replay/replay-engine.ts';
import type { Judgement, ProofFacts } from '../engine/replay/replay-messages.ts';
import type { ActionView } from '../engine/types.ts';
import { counted } from '../ui/common/format.ts';
import { OUTCOME_TEXTS, type Outcome, outcomeOfAction } from '../ui/common/outcomes.ts';

/** Formats a moment of a run, "0:04.2" or "12:30.0", rounded as `eval` rounds its seconds. @param step steps before it */
export function momentText(step: number): string {
  const seconds = Number((Math.round(step) / STEPS_PER_SECOND).toFixed(1));
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - minutes * 60).toFixed(1).padStart(4, '0')}`;
}

export type ReplayTone = 'wait' | 'good' | 'bad' | 'warn';

/** The texts on a proof: a word or two, a sentence, and a tone. */
export interface Said {
  tone: ReplayTone;
  title: string;
  text: string;
}

/** Returns the texts on the result of a check. */
export function judgedText({
  judgement,
  problem,
  facts,
  checkedSteps,
}: Pick<ReplayState, 'judgement' | 'problem' | 'facts' | 'checkedSteps'>): Said {
  if (problem !== null) return { tone: 'warn', title: 'Not checked', text: problem };
  if (judgement !== null) return textOf(judgement);
  const share = facts === null || facts.steps === 0 ? 0 : Math.floor((checkedSteps / facts.steps) * 100);
  return {
    tone: 'wait',
    title: facts === null ? 'Reading' : `Checking, ${share} %`,
    text: 'This tab simulates the whole run again and compares the world with the proof, step by step.',
  };
}

function textOf(judgement: Judgement): Said {
  switch (judgement.is) {
    case 'true':
      return {
        tone: 'good',
        title: 'True',
        text: `This run happened as the file records it: this tab simulated all ${judgement.steps} steps again, and the world was the same to the bit.`,
      };
    case 'false':
      return {
        tone: 'bad',
        title: 'False',
        text: `This run did not happen as the file records it: ${judgement.what}. What you see is what does happen.`,
      };
    case 'damaged':
      return {
        tone: 'bad',
        title: 'Damaged',
        text: judgement.path === '' ? judgement.what : `At ${judgement.path}: ${judgement.what}`,
      };
    case 'other_version':
      return {
        tone: 'warn',
        title: 'Another version',
        text: `${judgement.what} Open it with that version; this one cannot check whether it is true.`,
      };
  }
}

/** Formats the cost of a run: "3 actions, 0:24.5 of simulated time, 100 % of the credit". */
export const costText = ({ calls, simulated_s: simulatedS, credit }: Verdict): string =>
  `${counted(calls, 'action')}, ${momentText(simulatedS * STEPS_PER_SECOND)} of simulated time, ${Math.round(credit * 100)} % of the credit`;

/** The facts of a run as name and value, for people. */
export function factRows(facts: ProofFacts): (readonly [name: string, value: string])[] {
  return [
    ['Scene', `${facts.scene.id}, seed ${facts.seed}`],
    ['Robot', facts.robot],
    ['Length', `${momentText(facts.steps)}, ${facts.steps} steps`],
    ...(facts.started_at_ms > 0 ? [['Begun', new Date(facts.started_at_ms).toLocaleString('en-GB')] as const] : []),
    ['Inputs', String(facts.inputCount)],
    ['Made by', `version ${facts.product_version}`],
  ];
}

/** The texts on an action in the list of a run. */
export interface ActionSaid {
  /** `unended`: it is still running at the end of the recording, so its outcome is unknown. */
  outcome: Outcome | 'unended';
  word: string;
  reason: string | undefined;
}

/**
 * Returns the texts on how an action ended. @param isOver whether the end of the recording is shown, so that nothing is running
 * any more
 */
export function saidOfAction(action: Pick<ActionView, 'status' | 'result'>, isOver: boolean): ActionSaid {
  const outcome = outcomeOfAction(action);
  if (outcome === 'running' && isOver)
    return { outcome: 'unended', word: 'Not ended', reason: 'The recording ends while this runs.' };
  return {
    outcome,
    word: OUTCOME_TEXTS[outcome],
    reason: outcome === 'done' ? undefined : action.result?.error?.message,
  };
}

/** Returns whether the run was replayed to its end, and that end is shown. */
export const isOver = ({
  judgement,
  problem,
  positionStep,
  checkedSteps,
}: Pick<ReplayState, 'judgement' | 'problem' | 'positionStep' | 'checkedSteps'>): boolean =>
  (judgement !== null || problem !== null) && positionStep >= checkedSteps;
