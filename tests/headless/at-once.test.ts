/** Several in one process, begun at the same moment. Its own process, because the engine is loaded once in each. */
import { expect, it } from 'vitest';
import { runPlanner } from '../../src/headless/eval/planner-run.ts';
import { readTaskFiles } from '../../src/headless/eval/task-files.ts';
import { createSimulation } from '../../src/headless/index.ts';

it('simulations and runs that begin at once have worlds of their own, each as if it were alone', async () => {
  const [task] = await readTaskFiles([`${import.meta.dirname}/eval/tasks/take-one.json`]);
  if (!task) throw new Error('no task');
  const planned = { task, seed: 2, robot: 'humanoid', wording: 'default', sceneFile: null } as const;
  const [first, run, second, other] = await Promise.all([
    createSimulation({ seed: 1 }),
    runPlanner(planned),
    createSimulation({ seed: 1 }),
    createSimulation({ sceneId: 'hall', robotId: 'picker', seed: 2 }),
  ]);
  expect(run.record.outcome).toBe('passed');
  for (const simulation of [first, second, other]) simulation.step(240);
  expect(second.hash()).toBe(first.hash());
  const alone = await createSimulation({ sceneId: 'hall', robotId: 'picker', seed: 2 });
  alone.step(240);
  expect(other.hash()).toBe(alone.hash());
  expect((await runPlanner(planned)).proof).toBe(run.proof);
  for (const simulation of [first, second, other, alone]) simulation.dispose();
});
