/** The task of a robot of this tab alone. */
import { expect, it } from 'vitest';
import { markTask, readTaskId } from '../../src/viewer/engine/page-address.ts';
import { TASKS, taskById } from '../../src/viewer/engine/tasks/task-list.ts';
import { tasksOnDisk } from '../tasks/task-files.ts';
import { createFixture, KEY } from './engine-fixture.ts';

const blue = taskById('hall-hold-blue');
if (!blue) throw new Error('there is no such task');

it('the page has every task of the product', () => {
  expect(TASKS.map(({ suite, id }) => `${suite}/${id}`)).toEqual(tasksOnDisk.map(({ suite, name }) => `${suite}/${name}`));
  expect(taskById('nothing')).toBeNull();
});

it('a task begins in its own scene and with its seed, kept nowhere, and again as often as one wants', () => {
  const { engine, tasks, scenes, seeds, orders, state } = createFixture();
  engine.tasks?.play(blue, 7);
  expect([tasks.at(-1), scenes.at(-1), seeds.at(-1)]).toEqual(['hall-hold-blue', 'hall', 7]);
  expect(orders.at(-1)).toMatchObject({ place: null });
  expect(state()).toMatchObject({ local: true, task: { seed: 7, verdict: null, isDecided: false } });
  engine.tasks?.play(blue, 8);
  expect([tasks.length, seeds.at(-1)]).toEqual([3, 8]);
});

it('what the judge says is shown until the task is left, and the next robot has none', () => {
  const { engine, emit, tasks, state } = createFixture();
  engine.tasks?.play(blue, 1);
  const verdict = {
    outcome: 'passed' as const,
    reason: 'goal_reached' as const,
    at_step: 900,
    share: 1,
    credit: 1,
    calls: 2,
    simulated_s: 7.5,
    predicates: [],
    subgoals: [],
  };
  emit({ kind: 'task', verdict, isDecided: true });
  expect(state().task).toMatchObject({ verdict, isDecided: true });
  engine.disconnect();
  expect(state()).toMatchObject({ phase: 'gate', task: null });
  expect(tasks.at(-1)).toBeNull();
});

it('a robot of a room gets no task', () => {
  const { engine, tasks, state } = createFixture(KEY);
  engine.tasks?.play(blue, 1);
  expect(state().task).toBeNull();
  expect(tasks.every((task) => task === null)).toBe(true);
});

it('an address names a task, and forgets it', () => {
  expect(readTaskId('https://x.example/?try=1&task=hall-hold-blue')).toBe('hall-hold-blue');
  expect(markTask('https://x.example/?try=1', 'a')).toBe('https://x.example/?try=1&task=a');
  expect(markTask('https://x.example/?try=1&task=a', null)).toBe('https://x.example/?try=1');
});
