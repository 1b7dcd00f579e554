import type { TaskFile } from '../../protocol/files/task-file.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import type { PlannedRun, RunRecord, Wording } from './run-record.ts';
import type { SceneFiles } from './scene-files.ts';
import { successInterval } from './statistics.ts';
import type { FinishedRun } from './watched-run.ts';

/** The evaluated tasks and agent. */
export interface EvaluateOptions {
  tasks: readonly TaskFile[];
  /** The files of scenes that are not the product's, by the id of the scene. */
  sceneTexts: SceneFiles['texts'];
  seeds: readonly number[];
  robot: RobotId;
  wording: Wording;
  /** Whether each task is run with more seeds until its interval is narrow enough. */
  adaptive: { widthMax: number; runsMax: number } | null;
  /** Runs at a time. */
  jobs: number;
  /** Makes one run; never throws. */
  makeRun(planned: PlannedRun): Promise<FinishedRun>;
  /** @returns why a proof is not true, as a sentence; null when it is. The next run may be under way meanwhile */
  whyNotTrue(proof: string): Promise<string | null>;
  onFinished(finished: FinishedRun): Promise<void>;
  /** Whether no further run is begun. */
  isOver(): boolean;
}

/**
 * Makes the runs, so many at a time, and verifies the proof of each: a run whose proof is not true is an error, whatever was judged. Tasks
 * take turns with their seeds, so that an evaluation that is ended early knows something of each.
 */
export async function evaluate(options: EvaluateOptions): Promise<void> {
  const { tasks, sceneTexts, seeds, robot, wording, adaptive } = options;
  const plan = (task: TaskFile, seed: number): PlannedRun => ({
    task,
    seed,
    robot,
    wording,
    sceneFile: sceneTexts.get(task.scene) ?? null,
  });
  const outcomes = new Map<string, RunRecord['outcome'][]>(tasks.map(({ id }) => [id, []]));
  const planned: PlannedRun[] = seeds.flatMap((seed) => tasks.map((task) => plan(task, seed)));
  const lastSeed = Math.max(...seeds);
  const begun = new Map<string, number>(tasks.map(({ id }) => [id, seeds.length]));

  function nextRun(): PlannedRun | null {
    const next = planned.shift();
    if (next) return next;
    if (!adaptive) return null;
    for (const task of tasks) {
      const count = begun.get(task.id) ?? 0;
      if (count >= adaptive.runsMax || !isOpen(outcomes.get(task.id) ?? [], adaptive.widthMax)) continue;
      begun.set(task.id, count + 1);
      return plan(task, lastSeed + 1 + count - seeds.length);
    }
    return null;
  }

  async function finish(finished: FinishedRun): Promise<void> {
    const { record, proof } = finished;
    const why = proof === null ? null : await options.whyNotTrue(proof);
    if (why !== null && record.outcome !== 'error') Object.assign(record, { outcome: 'error', reason: why });
    outcomes.get(record.task)?.push(record.outcome);
    await options.onFinished(finished);
  }

  async function work(): Promise<void> {
    let finishing = Promise.resolve();
    while (!options.isOver()) {
      // Whether a task needs another run is known when its last one is verified.
      if (planned.length === 0) await finishing;
      const next = nextRun();
      if (next === null) break;
      const finished = await options.makeRun(next);
      await finishing;
      finishing = finish(finished);
      // Reported at the next `await`.
      finishing.catch(() => undefined);
    }
    await finishing;
  }
  await Promise.all(Array.from({ length: options.jobs }, work));
}

/** Returns whether more runs are needed. A task whose runs cannot be made is given up after some. */
function isOpen(outcomes: readonly RunRecord['outcome'][], widthMax: number): boolean {
  const judged = outcomes.filter((outcome) => outcome !== 'error');
  if (outcomes.length - judged.length >= ERRORS_MAX) return false;
  const { low, high } = successInterval(judged.filter((outcome) => outcome === 'passed').length, judged.length);
  return high - low > widthMax;
}

const ERRORS_MAX = 3;
