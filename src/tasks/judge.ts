import type { TaskFile } from '../protocol/files/task-file.ts';
import type { Verdict } from '../protocol/files/verdict.ts';
import { roundUnit } from '../protocol/wire/json.ts';
import { SETTLE_S, STEP_S, STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import type { SimWorld } from '../simulation/sim-world.ts';
import { createNode, type JudgedNode } from './judged-node.ts';
import { createObserver, regionsOf } from './judged-view.ts';

/** Judges a run of a task from the simulated world alone, after each step. Reports of skills and agents do not count. */
export interface Judge {
  /** The robot began an action. */
  noteCall(): void;
  /** Looks at the world after a step. @param step steps made since the start of the run */
  afterStep(world: SimWorld, step: number): void;
  /** The decision, once there is one; what comes later does not change it. */
  decided(): Verdict | null;
  /** The verdict if the run ends now. */
  verdict(): Verdict;
  /**
   * Returns, in sentences, what the verdict lacks for a pass: what is missing from the goal, or what happened that must never happen. Empty
   * when the run has passed.
   */
  missing(): string[];
  /** Returns the sentences about each predicate of the verdict, in its order; none for a predicate that is made of others. */
  sentences(): string[][];
}

/** @param world of step 0; the judge looks at it */
export function createJudge(task: TaskFile, world: SimWorld): Judge {
  const regions = regionsOf(task, world.scene);
  const goal = createNode(task.goal, 'goal', regions);
  const never = (task.never ?? []).map((predicate, at) => createNode(predicate, `never[${at}]`, regions));
  const subgoals = (task.subgoals ?? []).map(({ title, credit, when }, at) => ({
    title,
    credit,
    node: createNode(when, `subgoals[${at}].when`, regions),
    reachedAtStep: null as number | null,
  }));
  const nodes: readonly JudgedNode[] = [goal, ...never, ...subgoals.map(({ node }) => node)];
  const observer = createObserver();
  const budgetSteps = Math.round(task.budgets.simulated_s * STEPS_PER_SECOND);
  let calls = 0;
  let lastStep = 0;
  let best = 0;
  let decision: Verdict | null = null;

  function look(at: SimWorld, step: number): void {
    const view = observer.look(at, step);
    lastStep = step;
    for (const node of nodes) node.look(view);
    best = Math.max(best, goal.share);
    for (const subgoal of subgoals) if (subgoal.node.isReached(step)) subgoal.reachedAtStep ??= step;
  }

  function verdictOf(reason: Verdict['reason'], path?: string): Verdict {
    const passed = reason === 'goal_reached';
    const earned = subgoals.reduce((sum, { credit, reachedAtStep }) => sum + (reachedAtStep === null ? 0 : credit), 0);
    const share = passed ? 1 : roundUnit(goal.share);
    return {
      outcome: passed ? 'passed' : 'failed',
      reason,
      at_step: lastStep,
      ...(path === undefined ? {} : { path }),
      share,
      credit: passed ? 1 : roundUnit(Math.min(1, subgoals.length > 0 ? earned : best)),
      calls,
      simulated_s: roundUnit(lastStep * STEP_S),
      predicates: nodes.flatMap((node) => node.reports()),
      subgoals: subgoals.map(({ title, credit, reachedAtStep }) => ({ title, credit, reached_at_step: reachedAtStep })),
    };
  }

  /** Forbidden events come before the goal, and the goal before the budgets: a goal that is reached at the last moment counts. */
  function decide(step: number): void {
    const happened = never.find(({ holds }) => holds);
    if (happened) decision = verdictOf('never_happened', happened.path);
    else if (goal.isReached(step)) decision = verdictOf('goal_reached');
    else if (calls > task.budgets.calls) decision = verdictOf('too_many_calls');
    else if (step >= budgetSteps) decision = verdictOf('time_over');
  }

  look(world, 0);
  return {
    noteCall() {
      if (decision === null) calls += 1;
    },
    afterStep(at, step) {
      if (decision !== null) return;
      look(at, step);
      decide(step);
    },
    decided: () => decision,
    verdict: () => decision ?? verdictOf('not_reached'),
    sentences: () => nodes.flatMap((node) => node.sentences()),
    missing() {
      if (decision?.outcome === 'passed') return [];
      const happened = never.find(({ holds }) => holds);
      if (happened) return happened.facts();
      const lacking = goal.missing();
      return lacking.length > 0 ? lacking : [`The goal, or its last part, has to hold for ${SETTLE_S} s.`];
    },
  };
}
