import type { Predicate, TaskFile } from '../../src/protocol/files/task-file.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { play } from '../../src/tasks/agent-play.ts';
import { createNode, type JudgedNode } from '../../src/tasks/judged-node.ts';
import { createObserver, regionsOf } from '../../src/tasks/judged-view.ts';
import { plannerAgent } from '../../src/tasks/planner-agent.ts';
import type { Run } from '../../src/tasks/recorded-run.ts';
import { atomHolds, createWatcher } from '../oracle/task-atoms.ts';
import { reachedAt, series } from '../oracle/task-goal.ts';
import { runOf } from './task-files.ts';

/** Judge and oracle need not see a change in the same step: one waits for rest, the other measures speeds. */
const SAME_WITHIN_STEPS = 60;
const EVENTS: readonly string[] = ['visited', 'dropped', 'collided'];

interface Atom {
  predicate: Predicate;
  path: string;
}

/** Every predicate of a tree that contains no other, by its path. */
export function atomsOf(predicate: Predicate, path: string): Atom[] {
  switch (predicate.kind) {
    case 'all':
    case 'any':
    case 'then':
      return predicate.of.flatMap((one, at) => atomsOf(one, `${path}.of[${at}]`));
    case 'not':
    case 'still_at_end':
      return atomsOf(predicate.of, `${path}.of`);
    case 'while':
      return [...atomsOf(predicate.condition, `${path}.condition`), ...atomsOf(predicate.goal, `${path}.goal`)];
    default:
      return [{ predicate, path }];
  }
}

/** The answers of judge and oracle for each atom after each step. */
export interface Alike {
  look(world: SimWorld, step: number): void;
  /** Sentences, one for each atom for which they differed for longer than a change takes. */
  differences(): string[];
  /** How many values were compared. */
  readonly compared: number;
  oracle(path: string): readonly boolean[];
}

export function createAlike(atoms: readonly Atom[], regions: TaskFile['regions'], world: SimWorld): Alike {
  const observer = createObserver();
  const watch = createWatcher();
  const rows = atoms.map(({ predicate, path }) => ({
    predicate,
    path,
    node: createNode(predicate, path, regionsOf({ regions }, world.scene)) as JudgedNode,
    judge: [] as boolean[],
    oracle: [] as (boolean | null)[],
  }));
  let compared = 0;
  return {
    look(at, step) {
      const view = observer.look(at, step);
      const seen = watch(at);
      for (const row of rows) {
        row.node.look(view);
        row.judge.push(row.node.holds);
        row.oracle.push(atomHolds(row.predicate, seen, regions));
        compared += 1;
      }
    },
    differences: () =>
      rows.flatMap(({ predicate, path, judge, oracle }) => {
        const where = `${path} (${JSON.stringify(predicate)})`;
        if (EVENTS.includes(predicate.kind)) {
          const happened = oracle.includes(true);
          const unsure = oracle.includes(null);
          if (judge.at(-1) === happened || (unsure && !happened)) return [];
          return [`${where}: the judge says ${judge.at(-1)}, the oracle ${happened}`];
        }
        let apart = 0;
        for (const [step, said] of judge.entries()) {
          apart = oracle[step] === null || oracle[step] === said ? 0 : apart + 1;
          if (apart > SAME_WITHIN_STEPS) return [`${where}: for ${apart} steps until ${step} the judge says ${said}`];
        }
        return [];
      }),
    get compared() {
      return compared;
    },
    oracle: (path) => rows.find((row) => row.path === path)?.oracle.map((value) => value === true) ?? [],
  };
}

/** Calls `after` after each step of a run. */
export function afterEachStep(run: Run, after: () => void): void {
  const { step } = run.runtime;
  run.runtime.step = (nowMs) => {
    step(nowMs);
    after();
  };
}

/** Both judges of a task, from the first step of a run on. */
export interface JudgedRun {
  /** Steps further until their differences show, and returns them; the run has its verdict. */
  differences(): string[];
}

/** @param run at step 0 */
export function judgeBoth(task: TaskFile, run: Run): JudgedRun {
  const roots: [string, Predicate][] = [
    ['goal', task.goal],
    ...(task.never ?? []).map((one, at): [string, Predicate] => [`never[${at}]`, one]),
  ];
  const alike = createAlike(
    roots.flatMap(([path, predicate]) => atomsOf(predicate, path)),
    task.regions,
    run.world(),
  );
  alike.look(run.world(), 0);
  afterEachStep(run, () => alike.look(run.world(), run.steps()));
  return {
    differences() {
      const verdict = run.verdict();
      for (let step = 0; step < 2 * SAME_WITHIN_STEPS; step += 1) run.runtime.step((run.steps() * 1000) / 120);
      const said = (_: Predicate, path: string): readonly boolean[] => alike.oracle(path);
      const reached = reachedAt(task.goal, said);
      const happened = (task.never ?? []).flatMap((predicate, at) => {
        const first = series(predicate, `never[${at}]`, said).indexOf(true);
        return first < 0 ? [] : [first];
      });
      const differences = alike.differences();
      const passed = reached !== null && happened.every((step) => step > reached);
      if (passed !== (verdict?.outcome === 'passed'))
        differences.push(`the judge says ${verdict?.outcome} (${verdict?.reason}), the oracle ${passed}`);
      else if (passed && reached !== null && Math.abs(reached - (verdict?.at_step ?? 0)) > 2 * SAME_WITHIN_STEPS)
        differences.push(`the judge says reached after ${verdict?.at_step} steps, the oracle after ${reached}`);
      return differences;
    },
  };
}

/**
 * Lets the planner do a task under both judges.
 * @param wanted the goal that the planner gets; the task's own by default
 * @returns the outcome, and the differences of the judges
 */
export async function judgedAlike(
  task: TaskFile,
  seed: number,
  wanted: Predicate = task.goal,
): Promise<{ outcome: string | undefined; differences: string[] }> {
  const run = await runOf(task, { seed });
  const judged = judgeBoth(task, run);
  play(run, plannerAgent({ ...task, goal: wanted }));
  const outcome = run.verdict()?.outcome;
  const differences = judged.differences();
  run.runtime.dispose();
  return { outcome, differences: differences.map((what) => `${task.id}, seed ${seed}: ${what}`) };
}
