import { shownLine } from '../../common/shown-text.ts';
import type { RunRecord } from '../../headless/eval/run-record.ts';
import { comparisonText, rateText, sentenceOf } from '../../headless/eval/run-texts.ts';
import type { Comparison, Summary, Unlike } from '../../headless/eval/summary.ts';

/** The lines that an evaluation prints. Text of an agent, a library or a file never spans more than its own line. */

/** Returns the line of one run. @param pathOf returns the path of a result file from the reader's folder */
export const runLine = (record: RunRecord, pathOf: (file: string) => string): string =>
  shownLine(
    `${record.outcome.padEnd(6)} ${record.task} seed ${record.seed}  ${record.simulated_s.toFixed(1)} s  ${sentenceOf(record, pathOf)}`,
  );

/** Returns the text printed at the end of an evaluation. */
export function closingText({ all, tasks }: Summary, comparisons: readonly Comparison[], report: string): string {
  const lines = tasks.map((success) => `  ${success.task}: ${success.passed} of ${success.runs}, ${rateText(success)}`);
  for (const { task, passed_unaided: unaided, passed } of tasks)
    if (unaided > 0)
      lines.push(
        `  ${task}: in ${unaided} of the ${passed} that passed, the goal was reached before the robot did anything. They do not show what the agent can do.`,
      );
  const errors = all.errors > 0 ? `, ${all.errors} could not be made` : '';
  const compared = comparisons.map((comparison) => `  ${comparisonText(comparison)}`);
  return [
    `${all.passed} of ${all.runs} runs passed${errors}:`,
    ...lines,
    ...(compared.length === 0 ? [] : ['Compared with the earlier evaluation:', ...compared]),
    `Report: ${report}`,
  ]
    .map(shownLine)
    .join('\n');
}

/** Returns why two evaluations cannot be compared, or explains how they differ. The other evaluation is known from a file. */
export function unlikeTexts({ onlyOne, changed, conditions }: Unlike): string[] {
  const sentences = [
    ...(onlyOne.length === 0
      ? []
      : [`Not compared, nor all tasks together: only one of the two evaluations has ${someOf(onlyOne)}.`]),
    ...(changed.length === 0
      ? []
      : [`Not compared, nor all tasks together: another task, or another scene, now has the name ${someOf(changed)}.`]),
    ...conditions.map(
      ({ what, before, now }) => `The two evaluations differ in more than the agent: ${what} ${before} before, ${now} now.`,
    ),
  ];
  return sentences.map(shownLine);
}

const NAMES_SHOWN = 6;

function someOf(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return more > 1 ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${more} more` : names.join(', ');
}
