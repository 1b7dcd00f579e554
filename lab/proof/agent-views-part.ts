import type { Predicate, TaskFile } from '../../src/protocol/files/task-file.ts';
import { plannerAgent } from '../../src/tasks/planner-agent.ts';
import { type TaskOnDisk, taskOf, tasksOnDisk } from '../../tests/tasks/task-files.ts';
import { seenRobot } from '../agents/seen-robot.ts';
import { readShown, shownBy, VIEWS, type View } from '../agents/shown.ts';
import { openStdioPair } from '../agents/stdio-pair.ts';
import { agentOver, during } from '../agents/stepped-robot.ts';
import { createTaskRobot } from '../agents/task-robot.ts';
import { type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

const SEEDS = 5;
/**
 * Returns whether ids are enough for a goal: things on pads, in the hands, or sorted. One sentence has no heights, and no places of
 * things on pads.
 */
function isByIds(goal: Predicate): boolean {
  if (goal.kind === 'all' || goal.kind === 'then') return goal.of.every(isByIds);
  if (goal.kind === 'on') return goal.pad !== undefined;
  return goal.kind === 'held' || goal.kind === 'sorted';
}
const SENTENCE_SUITES = ['fetch', 'sort'];

/** Things that the last action moved come to rest, and are judged, within this time. */
const SETTLES_STEPS = 240;
/** No agent needs this many calls. */
const CALLS_MAX = 400;

const isForSentences = (onDisk: TaskOnDisk): boolean => SENTENCE_SUITES.includes(onDisk.suite) && isByIds(taskOf(onDisk).goal);

/** The runs of a seed: first each task with one view, then each with the next view. */
const runsOf = (seed: number) =>
  VIEWS.flatMap((_, round) =>
    tasksOnDisk.flatMap((onDisk, at) => {
      const views = VIEWS.filter((view) => view !== 'sentence' || isForSentences(onDisk));
      const view = views[(at + round) % views.length];
      return view === undefined || round >= views.length ? [] : [{ onDisk, seed, view }];
    }),
  );
const RUNS = Array.from({ length: SEEDS }, (_, at) => runsOf(at + 1)).flat();

export const agentViewsPart: ProofPart = {
  name: 'agent-views',
  open: async () => ({ run: (slice) => seenRun(slice), close: async () => undefined }),
  measured(outcomes) {
    const views = VIEWS.map((view) => {
      const passed = valuesOf(outcomes, 'samples', `passed ${view}`);
      return `${view} ${passed.reduce((sum, one) => sum + one, 0)} of ${passed.length}`;
    });
    return `tasks passed by what the client shows: ${views.join(', ')}`;
  },
};

async function seenRun(slice: number): Promise<SliceOutcome> {
  const { onDisk, seed, view } = RUNS[(slice - 1) % RUNS.length] as (typeof RUNS)[number];
  const task = taskOf(onDisk);
  const { outcome, problems, calls } = await playSeen(task, seed, view);
  const what = `${onDisk.name}, seed ${seed}, shown ${view}`;
  const isPassed = outcome === 'passed';
  return {
    done: 1,
    failures: [...problems, ...(isPassed ? [] : [`the agent ${outcome} after ${calls} calls`])].map(
      (problem) => `${what}: ${problem}`,
    ),
    samples: { [`passed ${view}`]: [isPassed ? 1 : 0], calls: [calls] },
  };
}

async function playSeen(
  task: TaskFile,
  seed: number,
  view: View,
): Promise<{ outcome: string; problems: string[]; calls: number }> {
  const { robot, run } = await createTaskRobot(task, seed);
  const pair = openStdioPair(agentOver(robot, { isExam: true, instruction: task.instruction.default }));
  await pair.open();
  let calls = 0;
  const answer = seenRobot(async (tool, input) => {
    calls += 1;
    if (calls > CALLS_MAX) throw new Error('The agent makes too many calls.');
    const reply = await during(robot, pair.use(tool, input).reply);
    return readShown(view, shownBy(view, reply?.result));
  });
  const agent = plannerAgent(task);
  const problems: string[] = [];
  try {
    let next = agent.next();
    while (!next.done && run.decided() === null) next = agent.next(await answer(next.value));
  } catch (thrown) {
    problems.push(thrown instanceof Error ? thrown.message : String(thrown));
  }
  await robot.until(() => run.decided() !== null, SETTLES_STEPS);
  const outcome = `${run.verdict()?.outcome}`;
  problems.push(...pair.watch.problems);
  await pair.close();
  robot.dispose();
  return { outcome, problems, calls };
}
