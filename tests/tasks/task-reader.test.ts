import { expect, it } from 'vitest';
import { readTask } from '../../src/tasks/task-reader.ts';
import { taskOf, tasksOnDisk } from './task-files.ts';

/** What is said of the first task with something in it changed. */
function saidOf(change: Record<string, unknown>): string[] {
  const [found] = tasksOnDisk;
  if (!found) throw new Error('there is no task');
  const read = readTask(JSON.stringify({ ...taskOf(found), ...change }));
  return read.ok ? [] : read.problems.map(({ path, reason }) => `${path}: ${reason}`);
}

it('what is wrong inside a goal is told with what would be right there, however deep', () => {
  const red = { kind: 'held', things: { color: 'red' } };
  const takes = 'has the unknown property "color"; it takes ids, except, category, colour.';
  expect(saidOf({ goal: red })).toEqual([`goal.things.color: "goal.things" ${takes}`]);
  expect(saidOf({ goal: { kind: 'not', of: { kind: 'all', of: [red] } } })).toEqual([
    `goal.of.of[0].things.color: "goal.of.of[0].things" ${takes}`,
  ]);
  expect(saidOf({ never: [{ kind: 'held', things: { colour: 'purple' } }] })).toEqual([
    'never[0].things.colour: "never[0].things.colour" must be one of "red", "green", "blue", "yellow"; it is "purple".',
  ]);
});

it('an id that is none is told with what an id is', () => {
  expect(saidOf({ id: 'Bad id' })).toEqual(['id: "id" must be an id: 1 to 64 letters, digits, _ and -; it is "Bad id".']);
});
