/** `npm run simplesim -- eval`: runs tasks with an agent and judges them. */

import { shownLine } from '../common/shown-text.ts';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { drawEnds } from '../headless/eval/end-pictures.ts';
import { evaluate } from '../headless/eval/evaluate.ts';
import { openResults } from '../headless/eval/results-folder.ts';
import { agentNeverActed, percent } from '../headless/eval/run-texts.ts';
import { readSceneFiles } from '../headless/eval/scene-files.ts';
import { compare, readSummary, type Summary, summarise, unlike } from '../headless/eval/summary.ts';
import { readTaskFiles, taskFilesIn } from '../headless/eval/task-files.ts';
import type { FinishedRun } from '../headless/eval/watched-run.ts';
import { requireBrowser } from '../headless/pictures/find-browser.ts';
import { openPictures, type Pictures } from '../headless/pictures/pictures.ts';
import { productVersion } from '../headless/product-version.ts';
import { readBounded } from '../headless/read-bounded.ts';
import type { AgentRunner } from './eval/agent-runner.ts';
import { EVAL_USAGE, type EvalArgs, readEvalArgs } from './eval/eval-args.ts';
import { closingText, runLine, unlikeTexts } from './eval/eval-texts.ts';
import { openAgentRunner } from './eval/open-agent-runner.ts';
import { openProofCheck } from './eval/proof-check.ts';
import { EXIT } from './exit-codes.ts';
import { leaveOnce } from './leave-once.ts';
import { print, printError, printTrouble } from './output.ts';
import { UsageError } from './read-options.ts';
import { ensureViewerBuilt } from './viewer-build.ts';

/** Tens of thousands of tasks. */
const SUMMARY_MAX_BYTES = 64 * 1024 * 1024;
const proofCheck = openProofCheck();
let runner = null as AgentRunner | null;
let pictures = null as Pictures | null;

try {
  const args = readEvalArgs(process.argv.slice(2));
  if (args === null) print(EVAL_USAGE);
  else process.exit(await run(args));
} catch (error) {
  await runner?.close();
  await pictures?.close();
  printTrouble(error);
  process.exit(error instanceof UsageError ? EXIT.wrongUsage : EXIT.couldNotRun);
}

/** @returns the exit code */
async function run(args: EvalArgs): Promise<number> {
  const { agent, minSuccess, compareFile } = args;
  // Every invalid input is reported before the first run.
  const { scenes, texts: sceneTexts } = await readSceneFiles(args.scenePaths).catch(asUsage);
  const tasks = await readTaskFiles(await taskFilesIn(args.taskFiles).catch(asUsage), args.robot, scenes).catch(asUsage);
  const before = compareFile === null ? null : await readEarlier(compareFile);
  if (args.pictures) requireBrowser();
  const results = await openResults(args.outDir).catch(asUsage);
  const leaving = leaveOnce(leave, EXIT.couldNotRun);

  if (args.pictures) {
    // Its cameras are those of the page.
    await ensureViewerBuilt((line) => print(`  ${line}`));
    pictures = openPictures();
  }
  runner = await openAgentRunner(args, results.path('.'), pictures);
  const report = async (finished: FinishedRun): Promise<void> => {
    await results.add(finished, pictures && finished.ends ? await drawEnds(pictures, finished.ends) : null);
    const { record } = finished;
    print(runLine(record, results.path));
  };
  const { makeRun } = runner;
  const { whyNotTrue } = proofCheck;
  await evaluate({ ...args, tasks, sceneTexts, makeRun, whyNotTrue, onFinished: report, isOver: leaving.hasBegun });
  proofCheck.close();
  await runner.close();
  await pictures?.close();

  const records = results.runs.map(({ record }) => record);
  const summary = summarise(records, agent, productVersion());
  const comparisons = before === null ? [] : compare(before, summary);
  await results.close(summary, comparisons);
  print(closingText(summary, comparisons, results.path('report.html')));
  if (before !== null) for (const sentence of unlikeTexts(unlike(before, summary))) print(sentence);
  if (leaving.hasBegun() || summary.all.errors > 0) return EXIT.couldNotRun;
  const neverActed = agentNeverActed(records);
  const isTooFew = minSuccess !== null && (summary.all.rate ?? 0) < minSuccess;
  if (isTooFew) print(`Not passed: ${percent(summary.all.rate)} is less than --min-success ${minSuccess}.`);
  const isWorse = comparisons.some(({ is }) => is === 'worse');
  if (neverActed) print('The agent could not run: in every run it ended with an error before its first action.');
  if (isWorse) print('Not passed: worse than the evaluation that it is compared with, by more than chance explains.');
  if (neverActed) return EXIT.couldNotRun;
  return isTooFew || isWorse ? EXIT.notPassed : EXIT.good;
}

async function readEarlier(file: string): Promise<Summary> {
  try {
    return readSummary(await readBounded(file, SUMMARY_MAX_BYTES));
  } catch (thrown) {
    const code = thrownCode(thrown);
    throw new UsageError(`--compare ${shownLine(file)}: ${code === null ? thrownText(thrown) : `it cannot be read (${code}).`}`);
  }
}

function asUsage(thrown: unknown): never {
  throw new UsageError(thrownText(thrown));
}

/** No further run begins. Active runs are ended, and the results so far are written. */
async function leave(): Promise<void> {
  printError('Ending early: what was made so far is written.');
  await runner?.endAll();
}
