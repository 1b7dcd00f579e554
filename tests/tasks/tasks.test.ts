import RAPIER from '@dimforge/rapier3d-compat';
import { describe, expect, test } from 'vitest';
import { type AgentCall, type AgentCourse, play } from '../../src/tasks/agent-play.ts';
import { plannerAgent } from '../../src/tasks/planner-agent.ts';
import { proofText } from '../../src/tasks/proof-text.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { runOf, taskOf, tasksOnDisk } from './task-files.ts';

/** Writes down what an agent calls. */
function* noting(agent: AgentCourse, calls: AgentCall[]): AgentCourse {
  let next = agent.next();
  while (!next.done) {
    if (next.value.method === 'runtime.tools_call') calls.push(next.value);
    next = agent.next(yield next.value);
  }
}

/** Calls what was right in another world, without looking at this one. */
function* blind(calls: readonly AgentCall[]): AgentCourse {
  for (const call of calls) yield call;
}

/** Other worlds for the blind agent, which may be lucky in one of them. */
const OTHER_SEEDS = [3, 4, 5];

function* idle(): AgentCourse {}

describe.each(tasksOnDisk)('the task $suite/$name', (onDisk) => {
  const task = taskOf(onDisk);

  test('is named as its file, and says what to do in three wordings', () => {
    expect([task.suite, task.id]).toEqual([onDisk.suite, onDisk.name]);
    expect(new Set(Object.values(task.instruction)).size).toBe(3);
  });

  test('is false at the start, and stays so with an agent that does nothing', async () => {
    const run = await runOf(task);
    expect(run.decided()).toBeNull();
    expect(run.verdict()).toMatchObject({ outcome: 'failed', reason: 'not_reached' });
    play(run, idle());
    expect(run.verdict()).toMatchObject({ outcome: 'failed', reason: 'not_reached', credit: 0 });
    run.runtime.dispose();
  });

  test('is solved by the planner, its proof is true, and what the planner called solves no other world', async () => {
    const run = await runOf(task, { seed: 2 });
    const calls: AgentCall[] = [];
    play(run, noting(plannerAgent(task), calls));
    const { outcome, reason } = run.verdict() ?? {};
    expect({ outcome, reason }).toEqual({ outcome: 'passed', reason: 'goal_reached' });
    const proved = run.proof();
    if (!proved.ok) throw new Error(proved.reason);
    const text = proofText(proved.proof);
    expect(text.length).toBeLessThan(20_000);
    expect(verifyProof(RAPIER, text)).toMatchObject({ is: 'true' });
    run.runtime.dispose();
    let lucky = 0;
    for (const seed of OTHER_SEEDS) {
      const other = await runOf(task, { seed });
      play(other, blind(calls));
      if (other.verdict()?.outcome === 'passed') lucky += 1;
      other.runtime.dispose();
    }
    expect(lucky).toBeLessThanOrEqual(1);
  });
});
