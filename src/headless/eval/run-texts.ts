import { VERDICT_TEXTS } from '../../protocol/texts/task-texts.ts';
import { END_BY_AGENT_TEXTS } from './robot-left.ts';
import type { RunRecord } from './run-record.ts';
import type { Comparison, Success } from './summary.ts';

/**
 * Returns the outcome of a run, in a sentence or two.
 * @param pathOf returns the path of a result file as its reader finds it
 */
export function sentenceOf(record: RunRecord, pathOf: (file: string) => string = (file) => file): string {
  const { output_file: output } = record;
  return `${whatCame(record)}${endedByFault(record) && output !== null ? ` Its output is in ${pathOf(output)}.` : ''}`;
}

/** Returns whether the agent's output has the reason. */
const endedByFault = (record: RunRecord): boolean =>
  record.outcome !== 'passed' && (record.agent?.end === 'not_started' || endedWithError(record));

const endedWithError = ({ agent }: RunRecord): boolean => agent?.end === 'exited' && agent.exit_code !== 0;

/** Returns whether the agent ended every run with an error before its first action: programs that it needs are missing. */
export const agentNeverActed = (records: readonly RunRecord[]): boolean =>
  records.length > 0 && records.every((record) => record.outcome === 'failed' && record.calls === 0 && endedWithError(record));

function whatCame({ outcome, reason, verdict, missing, agent }: RunRecord): string {
  if (outcome === 'error' || verdict === null) return reason;
  const sentences = [VERDICT_TEXTS[verdict.reason]];
  if (outcome === 'failed') sentences.push(...missing.slice(0, MISSING_SHOWN));
  if (outcome === 'failed' && missing.length > MISSING_SHOWN)
    sentences.push(`${missing.length - MISSING_SHOWN} more things are missing.`);
  if (outcome === 'failed' && agent?.ended_robot) sentences.push(END_BY_AGENT_TEXTS[agent.ended_robot]);
  if (agent?.end === 'timed_out') sentences.push('The agent was still running when its time was over.');
  if (agent?.end === 'exited' && agent.exit_code !== 0) {
    const line = agent.error_line === null ? '' : `: "${agent.error_line}"`;
    sentences.push(`The agent ended with ${agent.exit_code ?? agent.signal}${line}.`);
  }
  return sentences.join(' ');
}

/** Sentences about what is missing that fit into one line. */
export const MISSING_SHOWN = 3;

/** Returns a rate in percent. */
export const percent = (rate: number | null): string => (rate === null ? '–' : `${Math.round(rate * 100)} %`);

/** Returns a rate with its interval; where no run counts there is neither. */
export const rateText = ({ rate, interval }: Pick<Success, 'rate' | 'interval'>): string =>
  rate === null ? percent(rate) : `${percent(rate)} (${percent(interval.low)} to ${percent(interval.high)})`;

const COMPARED: Readonly<Record<Comparison['is'], string>> = {
  worse: 'worse',
  better: 'better',
  not_worse: 'not worse',
  unclear: 'too few runs for a result',
  blind: 'not worse, but so few runs catch nothing',
  uncounted: 'not compared, because no run counts',
};

/** Returns what a comparison shows, and how many seeds would show more. */
export function comparisonText({ task, before, now, is, seedsNeeded }: Comparison): string {
  const seeds = seedsNeeded === null ? 'more than 100 seeds' : `at least ${seedsNeeded} seeds`;
  const advice = is === 'unclear' || is === 'blind' ? `; use ${seeds} in both evaluations` : '';
  return `${task ?? 'all tasks'}: ${before.passed} of ${before.runs} before, ${now.passed} of ${now.runs} now: ${COMPARED[is]}${advice}`;
}
