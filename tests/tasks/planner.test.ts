/** The planner of the product: its actions when something is in its way. */
import { expect, test } from 'vitest';
import type { Predicate } from '../../src/protocol/files/task-file.ts';
import { type AgentReply, play } from '../../src/tasks/agent-play.ts';
import { plannerAgent } from '../../src/tasks/planner-agent.ts';
import { runOf, taskOf, tasksOnDisk } from './task-files.ts';

test('if neighbours block the hands, one that may be held is moved aside before the thing is taken', async () => {
  const onDisk = tasksOnDisk.find(({ name }) => name === 'maze-green-follows-blue');
  if (!onDisk) throw new Error('the task is gone');
  // In this world the blue cube stands between a red one, which must never be held, and the green one.
  const held = { kind: 'held' as const, things: { colour: 'blue' as const } };
  const task = { ...taskOf(onDisk), goal: held };
  const run = await runOf(task, { seed: 5 });
  play(run, plannerAgent(task));
  run.runtime.dispose();
  expect(run.verdict()).toMatchObject({ outcome: 'passed', reason: 'goal_reached' });
});

const on = (colour: 'red' | 'blue', pad: string): Predicate => ({ kind: 'on', things: { colour }, pad });
const cube = (id: string, color: string, x: number): AgentReply => ({
  entity_id: id,
  kind: 'object',
  pose: { position: [x, 0, 0.075] },
  state: { color, parent_pad_id: null },
  attached_to: null,
  visible: true,
});
const robot = { entity_id: 'robot', kind: 'robot', pose: { position: [0, 0, 0] }, state: {} };

/** Every skill that the planner calls in a world in which nothing can be picked, with its target. */
function callsInVain(goal: Predicate, never: Predicate[] = [], code = 'OUT_OF_REACH'): string[] {
  const limit = 200;
  const agent = plannerAgent({ goal, never });
  const calls: string[] = [];
  let next = agent.next();
  while (!next.done && calls.length < limit) {
    const { method, payload } = next.value as { method: string; payload: AgentReply };
    let reply: AgentReply = { pads: [], slots: [], regions: [], spawn: { position: [0, 0] } };
    if (method === 'runtime.scene_state') reply = { entities: { robot, a: cube('a', 'red', 0.4), b: cube('b', 'blue', 0.6) } };
    if (method === 'runtime.tools_call') {
      calls.push(`${payload.name} ${payload.input.target?.entity_id}`);
      reply = payload.name === 'go_to' ? { status: 'done' } : { status: 'failed', error: { code } };
    }
    next = agent.next(reply);
  }
  expect(calls.length).toBeLessThan(limit);
  return [...new Set(calls)].sort();
}

test('a later part of an order is not begun before the earlier part is done', () => {
  const of = [on('red', 'left'), on('blue', 'left')];
  const never: Predicate[] = [{ kind: 'on', things: {}, floor: true, at_least: 1 }];
  expect(callsInVain({ kind: 'then', of }, never)).toEqual(['go_to a', 'pick_entity a']);
  expect(callsInVain({ kind: 'all', of }, never)).toEqual(['go_to a', 'go_to b', 'pick_entity a', 'pick_entity b']);
});

test('a thing that must never be held is not moved aside, nor any thing if things must not lie on the floor', () => {
  const goal = on('red', 'left');
  expect(callsInVain(goal)).toContain('pick_entity b');
  expect(callsInVain(goal, [], 'NOT_GRASPABLE')).toContain('pick_entity b');
  expect(callsInVain(goal, [], 'GRASP_MISSED')).not.toContain('pick_entity b');
  const held: Predicate = { kind: 'any', of: [{ kind: 'held', things: { colour: 'blue' } }] };
  expect(callsInVain(goal, [held])).toEqual(['go_to a', 'pick_entity a']);
  expect(callsInVain(goal, [{ kind: 'on', things: {}, floor: true, at_least: 1 }])).toEqual(['go_to a', 'pick_entity a']);
});
