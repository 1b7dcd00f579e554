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
  engine.tasks?.play(productTask(blue), 7);
  expect([tasks.at(-1), scenes.at(-1), seeds.at(-1)]).toEqual(['hall-hold-blue', 'hall', 7]);
  expect(orders.at(-1)).toMatchObject({ place: null });
  expect(state()).toMatchObject({ local: true, task: { seed: 7, verdict: null, isDecided: false } });
  engine.tasks?.play(productTask(blue), 8);
  expect([tasks.length, seeds.at(-1)]).toEqual([3, 8]);
});

it('what the judge says is shown until the task is left, and the next robot has none', () => {
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
  expect(engine.tasks?.play(productTask(blue), 1)).toMatch(/^A task is for a robot of one tab alone/);
  expect(state().task).toBeNull();
  expect(tasks.every((task) => task === null)).toBe(true);
});

it('an address names a task, and forgets it', () => {
  expect(readTaskId('https://x.example/?try=1&task=hall-hold-blue')).toBe('hall-hold-blue');
  expect(markTask('https://x.example/?try=1', 'a')).toBe('https://x.example/?try=1&task=a');
  expect(markTask('https://x.example/?try=1&task=a', null)).toBe('https://x.example/?try=1');
});

const blueText = JSON.stringify(blue);
const ofFile = 'http://h/?try=1&task=/own/blue.json';

it('a task file that is dropped begins as one of the product does, and no address names it', () => {
  const { engine, tasks, state } = createFixture();
  expect(playDropped(engine, blueText)).toEqual([]);
  expect(tasks.at(-1)).toBe('hall-hold-blue');
  expect(state()).toMatchObject({ local: true, task: { address: null, seed: 1 } });
});

it('a task file with a mistake is refused with the place of the mistake, and the present world stays', () => {
  const { engine, tasks, state } = createFixture();
  engine.tryHere();
  const worlds = tasks.length;
  expect(playDropped(engine, JSON.stringify({ ...blue, scene: 'moon' }))).toEqual([
    { path: 'scene', reason: expect.stringMatching(/^There is no scene "moon"\. There are: warehouse/) },
  ]);
  expect(playDropped(engine, '{')).toHaveLength(1);
  expect([tasks.length, state().task]).toEqual([worlds, null]);
});

it('a robot in a room does no task file, and the person is told where one is done', () => {
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
  ['is no task', async () => new Response('{"format": "simplesim.scene/1"}')],
  ['is not there', async () => new Response('', { status: 404 })],
  ['is larger than a task may be', async () => new Response(' '.repeat(70_000))],
])('a robot without a task opens where the file of the address %s, and the page says so', async (_, fetchFn) => {
  vi.stubGlobal('fetch', fetchFn);
  const { engine, state } = createFixture();
  await openTask(engine, '/own/blue.json', 1, ofFile);
  expect(state()).toMatchObject({ local: true, task: null, fileRefusal: { kind: 'task', name: 'http://h/own/blue.json' } });
});

it('a task is fetched over https or from the site of the page alone', () => {
  expect(readTaskAddress('http://h/?task=https://x.example/a.json')).toBe('https://x.example/a.json');
  expect(readTaskAddress('http://h/?task=http://x.example/a.json')).toBeNull();
  expect(taskAddressMistake('http://h/?task=http://x.example/a.json')).toMatch(/^The task .* begins with https/);
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
])('a file of the text %s says that it is %s', (text, kind) => {
  expect(formatOf(text)).toBe(kind);
});

it('a task that a robot of this contract cannot do is told, and the present world stays', () => {
  const { engine, state } = createFixture(null, false, true, 'worker');
  engine.tryHere();
  expect(playDropped(engine, JSON.stringify({ ...blue, robots: ['picker'] }))).toEqual([
    { path: '', reason: expect.stringMatching(/^The picker cannot follow the rules of a physical robot/) },
  ]);
  expect(state()).toMatchObject({ local: true, task: null, gateProblem: null });
});

it('a task may be nested as deep as its schema allows, whatever a scene needs', () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? { kind: 'held', things: { category: 'cube' } } : { kind: 'all', of: [nested(depth - 1)] };
  const { engine } = createFixture();
  expect(playDropped(engine, JSON.stringify({ ...blue, goal: nested(8), never: undefined }))).toEqual([]);
});
