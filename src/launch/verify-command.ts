/** `npm run simplesim -- verify FILE…`: re-simulates proofs and reports whether they are correct. */

import { shownJson, shownLine } from '../common/shown-text.ts';
import { thrownCode, thrownText } from '../control-service/thrown.ts';
import { whyNotAsked } from '../headless/asked-task.ts';
import { matchingPaths } from '../headless/eval/matching-paths.ts';
import { readSceneFiles, type SceneFiles } from '../headless/eval/scene-files.ts';
import { readTaskFiles, taskFilesIn } from '../headless/eval/task-files.ts';
import { verifyFile } from '../headless/verify-file.ts';
import type { TaskFile } from '../protocol/files/task-file.ts';
import { verificationText } from '../protocol/texts/headless-texts.ts';
import { EXIT } from './exit-codes.ts';
import { print, printTrouble } from './output.ts';
import { readOptions, UsageError, wrongUsage } from './read-options.ts';

const COMMAND = 'npm run simplesim -- verify';
const VERIFY_USAGE = `${COMMAND} FILE…

  Simulates the proof files of runs again, and reports whether each run happened as recorded, or the first step that differs.

Options
  --tasks FILE|DIR    the run must be one of this task, or of one in this folder; several times for several. A proof includes its
                      task, and its author can make the task easier
  --scenes FILE|DIR   scene files of your own, in which those tasks are
  --json              one line of JSON for each file
  --help              this

Ends with 0 when all are true; 1 when one is false, damaged or of another task; 2 for wrong arguments; 3 when a file cannot be read,
or was written by another version, which is needed to verify it. Of several files the highest code counts.`;

const OPTIONS = {
  tasks: { type: 'string', multiple: true },
  scenes: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

try {
  const given = process.argv.slice(2);
  const { values, positionals } = readOptions(given, OPTIONS, { command: COMMAND, positionalsMax: Number.POSITIVE_INFINITY });
  if (values.help) print(VERIFY_USAGE);
  else process.exitCode = await verifyAll(positionals, await readAsked(values), values.json ?? false);
} catch (error) {
  printTrouble(error);
  process.exit(error instanceof UsageError ? EXIT.wrongUsage : EXIT.couldNotRun);
}

/** The tasks to which runs must belong, and the scenes in which those may be. */
interface Asked {
  tasks: TaskFile[];
  scenes: SceneFiles['scenes'];
}

/** @returns null if runs may belong to any task */
async function readAsked(values: { tasks?: string[]; scenes?: string[] }): Promise<Asked | null> {
  const { tasks, scenes: sceneFiles = [] } = values;
  if (tasks === undefined && sceneFiles.length > 0)
    throw new UsageError('--scenes belongs to --tasks: a proof brings its scene along.');
  if (tasks === undefined) return null;
  try {
    const { scenes } = await readSceneFiles(sceneFiles);
    return { tasks: await readTaskFiles(await taskFilesIn(tasks), null, scenes), scenes };
  } catch (thrown) {
    throw new UsageError(thrownText(thrown));
  }
}

async function verifyOne(file: string, asked: Asked | null) {
  const said = await verifyFile(file);
  const why = said.is === 'true' && asked !== null ? whyNotAsked(said.proof, asked.tasks, asked.scenes) : null;
  return said.is === 'true' && why !== null ? { is: 'other_task' as const, what: why, proof: said.proof } : said;
}

/** @returns the exit code */
async function verifyAll(files: string[], asked: Asked | null, isJson: boolean): Promise<number> {
  if (files.length === 0) throw wrongUsage('Name a proof file.', COMMAND);
  const codes: number[] = [];
  const meant = await matchingPaths(files).catch((thrown: unknown) => {
    throw new UsageError(thrownText(thrown));
  });
  for (const file of meant) {
    const startedMs = performance.now();
    const said = await verifyOne(file, asked).catch((thrown: unknown) => ({
      is: 'unreadable' as const,
      what: thrownCode(thrown) ?? thrownText(thrown),
    }));
    const seconds = (performance.now() - startedMs) / 1_000;
    const { proof, ...rest } = 'proof' in said ? said : { ...said, proof: null };
    const run = proof && { task: proof.task?.id ?? null, seed: proof.seed, outcome: proof.verdict?.outcome ?? null };
    if (isJson)
      print(shownJson({ file, ...rest, ...(run ?? { task: null, seed: null, outcome: null }), robot: proof?.robot ?? null }));
    else print(`${shownLine(file)}: ${verificationText(said, { seconds, run })}`);
    codes.push(
      said.is === 'true' ? EXIT.good : ['false', 'damaged', 'other_task'].includes(said.is) ? EXIT.notPassed : EXIT.couldNotRun,
    );
  }
  return Math.max(...codes);
}
