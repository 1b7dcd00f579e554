/** The task of a robot of this tab alone. */
import { afterEach, expect, it, vi } from 'vitest';
import { itemsOf, noItems } from '../../src/viewer/engine/browser-storage.ts';
import { formatOf } from '../../src/viewer/engine/file-format.ts';
import { markTask, readTaskAddress, readTaskId, taskAddressMistake } from '../../src/viewer/engine/page-address.ts';
import { openTask, playDropped } from '../../src/viewer/engine/tasks/open-task.ts';
import { noteSolved, solvedTasks } from '../../src/viewer/engine/tasks/solved-tasks.ts';
import { LEVELS, levelOf, nextTask, TASKS, taskById } from '../../src/viewer/engine/tasks/task-list.ts';
import { productTask } from '../../src/viewer/engine/types.ts';
import { tasksOnDisk } from '../tasks/task-files.ts';
import { createFixture, KEY } from './engine-fixture.ts';

const blue = taskById('hall-hold-blue');
if (!blue) throw new Error('there is no such task');

afterEach(() => vi.unstubAllGlobals());

it('the page has every task of the product', () => {
  const here = TASKS.map(({ suite, id }) => `${suite}/${id}`).toSorted();
  expect(here).toEqual(tasksOnDisk.map(({ suite, name }) => `${suite}/${name}`).toSorted());
  expect(taskById('nothing')).toBeNull();
});

it('tasks are ordered by what they allow, and the next task is the first unsolved one', () => {
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

it('a browser stores which tasks were solved, and a damaged record counts as no solved task', () => {
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

it('a task starts in its own scene with its seed, is stored nowhere, and can be repeated', () => {
  const { engine, tasks, scenes, seeds, orders, state } = createFixture();
  engine.tasks?.play(productTask(blue), 7);
  expect([tasks.at(-1), scenes.at(-1), seeds.at(-1)]).toEqual(['hall-hold-blue', 'hall', 7]);
  expect(orders.at(-1)).toMatchObject({ place: null });
  expect(state()).toMatchObject({ local: true, task: { seed: 7, verdict: null, isDecided: false } });
  engine.tasks?.play(productTask(blue), 8);
  expect([tasks.length, seeds.at(-1)]).toEqual([3, 8]);
});

it('the judgement is shown until the task is left, and the next robot has none', () => {
  const { engine, emit, tasks, state } = createFixture();
  engine.tasks?.play(productTask(blue), 1);
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
  emit({ kind: 'task', verdict, isDecided: true, missing: [] });
  expect(state().task).toMatchObject({ verdict, isDecided: true });
  engine.disconnect();
  expect(state()).toMatchObject({ phase: 'gate', task: null });
  expect(tasks.at(-1)).toBeNull();
});

it('a robot of a room gets no task', () => {
  const { engine, tasks, state } = createFixture(KEY);
  expect(engine.tasks?.play(productTask(blue), 1)).toMatch(/^A task needs a robot that runs only in one tab/);
  expect(state().task).toBeNull();
  expect(tasks.every((task) => task === null)).toBe(true);
});

it('an address names a task and can drop it', () => {
  expect(readTaskId('https://x.example/?try=1&task=hall-hold-blue')).toBe('hall-hold-blue');
  expect(markTask('https://x.example/?try=1', 'a')).toBe('https://x.example/?try=1&task=a');
  expect(markTask('https://x.example/?try=1&task=a', null)).toBe('https://x.example/?try=1');
});

const blueText = JSON.stringify(blue);
const ofFile = 'http://h/?try=1&task=/own/blue.json';

it('a dropped task file starts like a task of the product, and no address names it', () => {
  const { engine, tasks, state } = createFixture();
  expect(playDropped(engine, blueText)).toEqual([]);
  expect(tasks.at(-1)).toBe('hall-hold-blue');
  expect(state()).toMatchObject({ local: true, task: { address: null, seed: 1 } });
});

it('a task file with a mistake is rejected with the place of the mistake, and the present world stays', () => {
  const { engine, tasks, state } = createFixture();
  engine.tryHere();
  const worlds = tasks.length;
  expect(playDropped(engine, JSON.stringify({ ...blue, scene: 'moon' }))).toEqual([
    { path: 'scene', reason: expect.stringMatching(/^There is no scene "moon"\. There are: warehouse/) },
  ]);
  expect(playDropped(engine, '{')).toHaveLength(1);
  expect([tasks.length, state().task]).toEqual([worlds, null]);
});

it('a robot in a room rejects a task file, and the page explains where a task file works', () => {
  const { engine, state } = createFixture(KEY);
  expect(playDropped(engine, blueText)).toEqual([{ path: '', reason: expect.stringMatching(/Try it here/) }]);
  expect(state().task).toBeNull();
});

it('the address of a task file opens the task, which keeps that address', async () => {
  vi.stubGlobal('fetch', async () => new Response(blueText));
  const { engine, state } = createFixture();
  await openTask(engine, '/own/blue.json', 9, ofFile);
  expect(state().task).toMatchObject({ file: { id: 'hall-hold-blue' }, address: '/own/blue.json', seed: 9 });
  expect(state().fileRefusal).toBeNull();
});

it.each([
  ['does not contain a task', async () => new Response('{"format": "simplesim.scene/1"}')],
  ['does not exist', async () => new Response('', { status: 404 })],
  ['is larger than a task may be', async () => new Response(' '.repeat(70_000))],
])('a robot without a task opens if the file of the address %s, and the page shows the reason', async (_, fetchFn) => {
  vi.stubGlobal('fetch', fetchFn);
  const { engine, state } = createFixture();
  await openTask(engine, '/own/blue.json', 1, ofFile);
  expect(state()).toMatchObject({ local: true, task: null, fileRefusal: { kind: 'task', name: 'http://h/own/blue.json' } });
});

it('a task is fetched only over https or from the site of the page', () => {
  expect(readTaskAddress('http://h/?task=https://x.example/a.json')).toBe('https://x.example/a.json');
  expect(readTaskAddress('http://h/?task=http://x.example/a.json')).toBeNull();
  expect(taskAddressMistake('http://h/?task=http://x.example/a.json')).toMatch(/^The task .* must be at an https address/);
  for (const href of ['http://h/', 'http://h/?task=hall-hold-blue', ofFile]) expect(taskAddressMistake(href)).toBeNull();
});

it.each([
  ['{"format": "simplesim.task/1"}', 'task'],
  ['\n{ "id": "x", "format": "simplesim.scene/1" }', 'scene'],
  ['{"format":"simplesim.proof/2"}', 'proof'],
  ['{"format":"simplesim.report/1"}', null],
  ['{"format":["simplesim.task/1"]}', null],
  ['"format": "simplesim.task/1"', null],
  ['null', null],
  ['', null],
])('recognises the file %s as the format %s', (text, kind) => {
  expect(formatOf(text)).toBe(kind);
});

it('a task that a robot of this contract cannot do is reported, and the present world stays', () => {
  const { engine, state } = createFixture(null, false, true, 'worker');
  engine.tryHere();
  expect(playDropped(engine, JSON.stringify({ ...blue, robots: ['picker'] }))).toEqual([
    { path: '', reason: expect.stringMatching(/^The picker cannot follow the rules of a physical robot/) },
  ]);
  expect(state()).toMatchObject({ local: true, task: null, gateProblem: null });
});

it('a task may be nested as deeply as its schema allows, independent of the limit for scenes', () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? { kind: 'held', things: { category: 'cube' } } : { kind: 'all', of: [nested(depth - 1)] };
  const { engine } = createFixture();
  expect(playDropped(engine, JSON.stringify({ ...blue, goal: nested(8), never: undefined }))).toEqual([]);
});
