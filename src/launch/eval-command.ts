/** `npx simplesim eval`: an agent tries tasks, and is judged. */
import { readFile } from 'node:fs/promises';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { drawEnds } from '../headless/eval/end-pictures.ts';
import { evaluate } from '../headless/eval/evaluate.ts';
import { openResults } from '../headless/eval/results-folder.ts';
import { percent, rateWords, sentenceOf } from '../headless/eval/run-words.ts';
import { readSceneFiles } from '../headless/eval/scene-files.ts';
import {
  type Change,
  changesSince,
  readSummary,
  type Summary,
  summarise,
  type Unlike,
  unlike,
} from '../headless/eval/summary.ts';
import { readTaskFiles, taskFilesIn } from '../headless/eval/task-files.ts';
import type { FinishedRun } from '../headless/eval/watched-run.ts';
import { requireBrowser } from '../headless/pictures/find-browser.ts';
import { openPictures, type Pictures } from '../headless/pictures/pictures.ts';
import { productVersion } from '../headless/product-version.ts';
import type { AgentDesk } from './eval/agent-desk.ts';
import { EVAL_USAGE, type EvalArgs, readEvalArgs } from './eval/eval-args.ts';
import { openAgentDesk } from './eval/open-agent-desk.ts';
import { openProofCheck } from './eval/proof-check.ts';
import { EXIT } from './exit-codes.ts';
import { leaveOnce } from './leave-once.ts';
import { UsageError } from './service-args.ts';
import { ensureViewerBuilt } from './viewer-build.ts';

const proofCheck = openProofCheck();
let desk = null as AgentDesk | null;
let pictures = null as Pictures | null;

try {
  const args = readEvalArgs(process.argv.slice(2));
  if (args === null) console.log(EVAL_USAGE);
  else process.exit(await run(args));
} catch (error) {
  await desk?.close();
  await pictures?.close();
  console.error(thrownText(error));
  process.exit(error instanceof UsageError ? EXIT.wrongUsage : EXIT.couldNotRun);
}

/** @returns the exit code */
async function run(args: EvalArgs): Promise<number> {
  const { agent, minSuccess, compareFile } = args;
  // All that can be wrong is told before the first run.
  const scenes = await readSceneFiles(args.scenePaths).catch(asUsage);
  const tasks = await readTaskFiles(await taskFilesIn(args.taskFiles).catch(asUsage), args.robot).catch(asUsage);
  const before = compareFile === null ? null : await readEarlier(compareFile);
  if (args.pictures) requireBrowser();
  const results = await openResults(args.outDir).catch(asUsage);
  const leaving = leaveOnce(leave, EXIT.couldNotRun);

  if (args.pictures) {
    // Its cameras are those of the page.
    await ensureViewerBuilt((line) => console.log(`  ${line}`));
    pictures = openPictures();
  }
  desk = await openAgentDesk(args, results.path('.'), pictures);
  const told = async (finished: FinishedRun): Promise<void> => {
    await results.add(finished, pictures && finished.ends ? await drawEnds(pictures, finished.ends) : null);
    const { record } = finished;
    console.log(
      `${record.outcome.padEnd(6)} ${record.task} seed ${record.seed}  ${record.simulated_s.toFixed(1)} s  ${sentenceOf(record, results.path)}`,
    );
  };
  const { makeRun } = desk;
  const { whyNotTrue } = proofCheck;
  await evaluate({ ...args, tasks, scenes, makeRun, whyNotTrue, onFinished: told, isOver: leaving.hasBegun });
  proofCheck.close();
  await desk.close();
  await pictures?.close();

  const records = results.runs.map(({ record }) => record);
  const summary = summarise(records, agent, productVersion());
  const changes = before === null ? [] : changesSince(before, summary);
  await results.close(summary, changes);
  console.log(closingWords(summary, changes, results.path('report.html')));
  if (before !== null) for (const sentence of unlikeWords(unlike(before, summary))) console.log(sentence);
  if (leaving.hasBegun() || summary.all.errors > 0) return EXIT.couldNotRun;
  const isTooFew = minSuccess !== null && (summary.all.rate ?? 0) < minSuccess;
  if (isTooFew) console.log(`Not passed: ${percent(summary.all.rate)} is less than --min-success ${minSuccess}.`);
  const isWorse = changes.some(({ is }) => is === 'worse');
  if (isWorse) console.log('Not passed: worse than the evaluation that it is compared with, by more than chance explains.');
  return isTooFew || isWorse ? EXIT.notPassed : EXIT.good;
}

function closingWords({ all, tasks }: Summary, changes: readonly Change[], report: string): string {
  const lines = tasks.map((success) => `  ${success.task}: ${success.passed} of ${success.runs}, ${rateWords(success)}`);
  for (const { task, passed_unaided: unaided, passed } of tasks)
    if (unaided > 0)
      lines.push(
        `  ${task}: in ${unaided} of the ${passed} that passed, the goal was reached before the robot did anything. They say nothing of the agent.`,
      );
  for (const { task, is, before, now } of changes)
    lines.push(`  ${task ?? 'all tasks'}: ${is} (${percent(before.rate)} before, ${percent(now.rate)} now)`);
  const errors = all.errors > 0 ? `, ${all.errors} could not be made` : '';
  return [`${all.passed} of ${all.runs} runs passed${errors}:`, ...lines, `Report: ${report}`].join('\n');
}

function unlikeWords({ onlyOne, changed, conditions }: Unlike): string[] {
  return [
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
}

const NAMES_SHOWN = 6;

function someOf(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return more > 1 ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${more} more` : names.join(', ');
}

async function readEarlier(file: string): Promise<Summary> {
  try {
    return readSummary(await readFile(file, 'utf8'));
  } catch (thrown) {
    const code = thrownCode(thrown);
    throw new UsageError(`--compare ${file}: ${code === null ? thrownText(thrown) : `it cannot be read (${code}).`}`);
  }
}

function asUsage(thrown: unknown): never {
  throw new UsageError(thrownText(thrown));
}

/** No further run begins; those that run are ended, and what is there is written. */
async function leave(): Promise<void> {
  console.error('Ending early: what was made so far is written.');
  await desk?.endAll();
}
