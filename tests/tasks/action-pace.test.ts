/** Time that advances only while an action runs: thinking costs nothing, and the run can still be proven. */
import RAPIER from '@dimforge/rapier3d-compat';
import { expect, test } from 'vitest';
import { proofText } from '../../src/tasks/proof-text.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { createRunStage, proofOf } from './run-stage.ts';
import { taskOf, tasksOnDisk } from './task-files.ts';

const SECOND_STEPS = 120;
const THINKS_STEPS = 2 * SECOND_STEPS;
const BUDGET_S = 4;

/** A stage in which a task of the product is judged at this pace, with a budget of few simulated seconds. */
async function staged(time: 'real' | 'on_action', options: { waitsForAction?: boolean } = {}) {
  const onDisk = tasksOnDisk.find(({ name }) => name === 'hall-hold-blue');
  if (!onDisk) throw new Error('the task is gone');
  return createRunStage({ ...options, task: { ...taskOf(onDisk), time, budgets: { calls: 5, simulated_s: BUDGET_S } } });
}

test('at the pace of actions the world stands still while the agent thinks, and advances during an action and for a second after it', async () => {
  const stage = await staged('on_action');
  const { run } = stage;
  const think = (): number => {
    const before = run.world().step;
    for (let step = 0; step < THINKS_STEPS; step += 1) stage.step();
    return run.world().step - before;
  };
  expect([think(), think()]).toEqual([SECOND_STEPS, 0]);
  expect(stage.runtime.state(0).robot.extra.sim.time).toBe('on_action');

  stage.call({ method: 'runtime.tools_call', payload: { name: 'set_head', input: { yaw: 0.5 } }, caller: 'agent' });
  const before = run.world().step;
  for (let step = 0; stage.ends.length === 0 && step < THINKS_STEPS; step += 1) stage.step();
  expect(stage.ends).toEqual(['set_head done']);
  const acted = run.world().step - before;
  expect(acted).toBeGreaterThan(10);
  expect([think(), think()]).toEqual([SECOND_STEPS, 0]);

  // Eight seconds of thought, twice the budget: they count only as far as the world advanced.
  expect(run.decided()).toBeNull();
  expect(run.verdict()?.simulated_s).toBeCloseTo((2 * SECOND_STEPS + acted) / SECOND_STEPS, 1);
  expect(verifyProof(RAPIER, proofText(proofOf(stage)))).toMatchObject({ is: 'true' });
  stage.runtime.dispose();
});

test('the clock of a run that waits for an action starts with the first one, whatever is read before and for however long', async () => {
  const stage = await staged('real', { waitsForAction: true });
  for (let step = 0; step < 2 * BUDGET_S * SECOND_STEPS; step += 1) {
    stage.step();
    if (step % 100 === 0) stage.call({ method: 'runtime.scene_state', payload: {}, caller: 'agent' });
    if (step % 150 === 0) stage.call({ method: 'runtime.tools_call', payload: { name: 'nosuch' }, caller: 'agent' });
    if (step % 200 === 0) stage.runtime.noteLeft('an onlooker', stage.nowMs);
  }
  expect([stage.run.steps(), stage.run.verdict()?.simulated_s, stage.run.decided()]).toEqual([0, 0, null]);
  stage.call({ method: 'runtime.tools_call', payload: { name: 'set_head', input: { yaw: 0.5 } }, caller: 'agent' });
  for (let step = 0; step < SECOND_STEPS; step += 1) stage.step();
  expect(stage.ends).toEqual(['set_head done']);
  expect(stage.run.verdict()).toMatchObject({ simulated_s: 1, calls: 1 });
  expect(verifyProof(RAPIER, proofText(proofOf(stage)))).toMatchObject({ is: 'true' });
  stage.runtime.dispose();
});

test('in real time thinking costs task time', async () => {
  const stage = await staged('real');
  for (let step = 0; step < BUDGET_S * SECOND_STEPS; step += 1) stage.step();
  expect(stage.run.decided()).toMatchObject({ outcome: 'failed', reason: 'time_over' });
  stage.runtime.dispose();
});

test('an emergency stop that waits for the standstill advances the world', async () => {
  const stage = await staged('on_action');
  for (let step = 0; step < THINKS_STEPS; step += 1) stage.step();
  const before = stage.run.world().step;
  let answered = false;
  stage.call({ method: 'runtime.emergency_stop', payload: {}, caller: 'agent' }, () => {
    answered = true;
  });
  for (let step = 0; !answered && step < THINKS_STEPS; step += 1) stage.step();
  expect(answered).toBe(true);
  for (let step = 0; step < THINKS_STEPS; step += 1) stage.step();
  expect(stage.run.world().step - before).toBeLessThanOrEqual(2 * SECOND_STEPS);
  stage.runtime.dispose();
});
