import RAPIER from '@dimforge/rapier3d-compat';
import { expect, test } from 'vitest';
import type { Fault, TaskFile } from '../../src/protocol/files/task-file.ts';
import { type AgentCall, type AgentCourse, type AgentReply, play } from '../../src/tasks/agent-play.ts';
import { plannerAgent } from '../../src/tasks/planner-agent.ts';
import { proofText } from '../../src/tasks/proof-text.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { runOf, taskOf, tasksOnDisk } from './task-files.ts';

/**
 * Enough worlds that each kind of fault occurs in one of them: the seed decides whether it affects the first thing that is taken,
 * or a later one.
 */
const SEEDS = [1, 3, 4, 5];
const yellow = tasksOnDisk.find(({ name }) => name === 'hall-yellow-to-mark');

function taskWith(faults: Fault[]): TaskFile {
  if (!yellow) throw new Error('the task is not there');
  const task = taskOf(yellow);
  delete task.never;
  return { ...task, faults };
}

/** Records how each command ended. */
function* noting(agent: AgentCourse, ends: string[]): AgentCourse {
  let next = agent.next();
  while (!next.done) {
    const call: AgentCall = next.value;
    const reply: AgentReply = yield call;
    const { name } = call.payload as { name?: string };
    if (call.method === 'runtime.tools_call') ends.push(`${name} ${reply.status === 'done' ? 'done' : reply.error.code}`);
    next = agent.next(reply);
  }
}

/** Plays with faults in the worlds of several seeds. */
async function endsWith(faults: Fault[]): Promise<{ ends: string[]; passed: number; simulatedS: number }> {
  const all: string[] = [];
  let passed = 0;
  let simulatedS = 0;
  for (const seed of SEEDS) {
    const task = taskWith(faults);
    const run = await runOf(task, { seed });
    play(run, noting(plannerAgent(task), all));
    if (run.verdict()?.outcome === 'passed') passed += 1;
    simulatedS += run.verdict()?.simulated_s ?? 0;
    const proved = run.proof();
    if (!proved.ok) throw new Error(proved.reason);
    expect(verifyProof(RAPIER, proofText(proved.proof))).toMatchObject({ is: 'true' });
    run.runtime.dispose();
  }
  return { ends: all, passed, simulatedS };
}

test('without faults all commands are done', async () => {
  const { ends, passed } = await endsWith([]);
  expect(passed).toBe(SEEDS.length);
  expect(ends.filter((end) => !end.endsWith(' done'))).toEqual([]);
});

test('with hands that miss, a pick fails, and the next one takes the thing', async () => {
  const { ends, passed } = await endsWith([{ kind: 'grasp_misses', times: 2 }]);
  expect(ends).toContain('pick_entity GRASP_MISSED');
  expect(passed).toBe(SEEDS.length);
});

test('with a thing that slips, the robot reports it, and fetches it again', async () => {
  const { ends, passed } = await endsWith([{ kind: 'thing_slips', after_s: 2 }]);
  expect(ends).toContain('place_entity HANDS_EMPTY');
  expect(passed).toBe(SEEDS.length);
});

test('with a busy robot and lost replies, the agent still reaches the goal', async () => {
  const { ends, passed } = await endsWith([
    { kind: 'robot_busy', times: 2 },
    { kind: 'reply_lost', times: 1 },
  ]);
  expect(ends.some((end) => end.endsWith(' BUSY'))).toBe(true);
  expect(ends.some((end) => end.endsWith(' NO_REPLY'))).toBe(true);
  expect(passed).toBe(SEEDS.length);
});

test('with an aisle that closes, the robot learns of the box there and walks round it', async () => {
  const task = taskWith([{ kind: 'aisle_closes', position: [0.4, 0], size: [0.6, 0.6, 0.8], after_s: 1 }]);
  const run = await runOf(task, { seed: 1 });
  expect(run.runtime.sceneState(0).entities.obstacle_1).toBeUndefined();
  play(run, plannerAgent(task));
  expect(run.verdict()).toMatchObject({ outcome: 'passed' });
  expect(run.runtime.sceneState(0).entities.obstacle_1).toMatchObject({ state: { category: 'obstacle' }, attached_to: null });
  const proved = run.proof();
  if (!proved.ok) throw new Error(proved.reason);
  expect(verifyProof(RAPIER, proofText(proved.proof))).toMatchObject({ is: 'true' });
  run.runtime.dispose();
});

test('a slow link costs only time', async () => {
  const [fast, slow] = [await endsWith([]), await endsWith([{ kind: 'slow_link', delay_s: 2 }])];
  expect(slow.ends).toEqual(fast.ends);
  expect(slow.simulatedS).toBeGreaterThan(fast.simulatedS + SEEDS.length * 2);
});
