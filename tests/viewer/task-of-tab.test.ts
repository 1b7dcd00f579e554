/** The task of a robot of this tab alone. */
import { expect, it } from 'vitest';
import { itemsOf, noItems } from '../../src/viewer/engine/browser-storage.ts';
import { markTask, readTaskId } from '../../src/viewer/engine/page-address.ts';
import { noteSolved, solvedTasks } from '../../src/viewer/engine/tasks/solved-tasks.ts';
import { LEVELS, levelOf, nextTask, TASKS, taskById } from '../../src/viewer/engine/tasks/task-list.ts';
import { tasksOnDisk } from '../tasks/task-files.ts';
import { createFixture, KEY } from './engine-fixture.ts';

const blue = taskById('hall-hold-blue');
if (!blue) throw new Error('there is no such task');

it('the page has every task of the product', () => {
  const here = TASKS.map(({ suite, id }) => `${suite}/${id}`).toSorted();
  expect(here).toEqual(tasksOnDisk.map(({ suite, name }) => `${suite}/${name}`).toSorted());
  expect(taskById('nothing')).toBeNull();
});

it('tasks come in the order of what they allow, and the next one is the next that is not solved', () => {
  const calls = TASKS.map(({ budgets }) => budgets.calls);
  expect(calls).toEqual(calls.toSorted((one, other) => one - other));
  expect(TASKS.map((task) => LEVELS.indexOf(levelOf(task)))).toEqual(
    TASKS.map((task) => LEVELS.indexOf(levelOf(task))).toSorted(),
  );
  const [first, second, third] = TASKS.map(({ id }) => id);
  const next = (id = '', solved: string[] = []) => nextTask(id, new Set(solved))?.id;
  expect([next(first), next(first, [second ?? '']), next(TASKS.at(-1)?.id)]).toEqual([second, third, first]);
  expect(nextTask(first ?? '', new Set(TASKS.map(({ id }) => id)))).toBeNull();
});

it('a browser keeps which tasks were solved, and a damaged record counts as none', () => {
  const kept = new Map<string, string>();
  const items = itemsOf(() => ({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  }));
  noteSolved('a', items);
  noteSolved('b', items);
  noteSolved('a', items);
  expect([...solvedTasks(items)]).toEqual(['b', 'a']);
  for (const damaged of ['{', '{}', '[1]', 'null']) {
    for (const name of kept.keys()) kept.set(name, damaged);
    expect([...solvedTasks(items)]).toEqual([]);
  }
  expect([...solvedTasks(noItems)]).toEqual([]);
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
