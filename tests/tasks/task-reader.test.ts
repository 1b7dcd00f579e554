import { expect, it } from 'vitest';
import { readTask } from '../../src/tasks/task-reader.ts';
import { taskOf, tasksOnDisk } from './task-files.ts';

/** The answer to the first task with one part changed. */
function saidOf(change: Record<string, unknown>): string[] {
  const [found] = tasksOnDisk;
  if (!found) throw new Error('there is no task');
  const read = readTask(JSON.stringify({ ...taskOf(found), ...change }));
  return read.ok ? [] : read.problems.map(({ path, reason }) => `${path}: ${reason}`);
}

it('a fault inside a goal is reported with what would be right there, at any depth', () => {
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

it('an invalid id is reported with the form of an id', () => {
  expect(saidOf({ id: 'Bad id' })).toEqual(['id: "id" must be an id: 1 to 64 letters, digits, _ and -; it is "Bad id".']);
});

it('words with which no program could be started are rejected; lines and tabs are allowed', () => {
  const instruction = (text: string) => ({ instruction: { default: text, vague: 'Do it.', specific: 'Do it now.' } });
  for (const sign of ['\u0000', '\u0007', '\u001b', '\u0085']) {
    const [said] = saidOf(instruction(`Hold ${sign}the cube.`));
    expect(said).toMatch(/^instruction\.default: "instruction\.default" must have no control characters/);
  }
  expect(saidOf(instruction('Hold the cube.\n\tThen wait.'))).toEqual([]);
  expect(saidOf({ title: 'On two\nlines' })).toEqual([expect.stringMatching(/^title: "title" must be on one line/)]);
});

it('a property that occurs twice is rejected, as in a scene; a byte order mark is allowed', () => {
  const [found] = tasksOnDisk;
  if (!found) throw new Error('there is no task');
  const text = JSON.stringify(taskOf(found));
  expect(readTask(`\ufeff${text}`).ok).toBe(true);
  expect(readTask(text.replace('{', '{"id":"other",'))).toEqual({
    ok: false,
    problems: [{ path: 'id', reason: '"id" is there twice; keep one of them.' }],
  });
  expect(readTask('{"id":')).toMatchObject({
    problems: [{ path: '', reason: expect.stringMatching(/^The task is not JSON: .*It is/) }],
  });
});
