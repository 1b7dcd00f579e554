import { expect, it } from 'vitest';
import { TaskQueue, TaskQueuesByKey } from '../../src/control-service/task-queue.ts';

/** Creates a task that ends on request. */
function openTask(): { task: () => Promise<number>; started: () => boolean; end: (failure?: Error) => void } {
  let isStarted = false;
  let end: (failure?: Error) => void = () => {};
  const ended = new Promise<number>((resolve, reject) => {
    end = (failure) => (failure ? reject(failure) : resolve(1));
  });
  return {
    task: () => {
      isStarted = true;
      return ended;
    },
    started: () => isStarted,
    end: (failure) => end(failure),
  };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('tasks run in order, two at a time, also after a failed one', async () => {
  const turns = new TaskQueue(2);
  const tasks = [openTask(), openTask(), openTask(), openTask()] as const;
  const runs = tasks.map(({ task }) => turns.run(task));
  const started = () => tasks.map((task) => task.started());
  await settle();
  expect(started()).toEqual([true, true, false, false]);
  tasks[1].end(new Error('failed'));
  await expect(runs[1]).rejects.toThrow('failed');
  await settle();
  expect(started()).toEqual([true, true, true, false]);
  tasks[0].end();
  await settle();
  expect(started()).toEqual([true, true, true, true]);
  for (const task of tasks) task.end();
  expect(await Promise.allSettled(runs)).toHaveLength(4);
  expect(turns.isIdle).toBe(true);
});

it('tasks of one key run one at a time, without delaying those of other keys', async () => {
  const turns = new TaskQueuesByKey();
  const [first, second, other] = [openTask(), openTask(), openTask()];
  const runs = [turns.run('a', first.task), turns.run('a', second.task), turns.run('b', other.task)];
  await settle();
  expect([first.started(), second.started(), other.started()]).toEqual([true, false, true]);
  first.end();
  await settle();
  expect(second.started()).toBe(true);
  second.end();
  other.end();
  expect(await Promise.all(runs)).toEqual([1, 1, 1]);
});

it('owners alternate: one with many waiting tasks does not delay another with one task', async () => {
  const turns = new TaskQueue(1);
  const order: string[] = [];
  const begin = openTask();
  const first = turns.run(begin.task, 'many');
  const runs = ['many', 'many', 'many', 'few', 'many', 'other', 'few'].map((owner, i) =>
    turns.run(async () => order.push(`${owner} ${i}`), owner),
  );
  begin.end();
  await Promise.all([first, ...runs]);
  expect(order).toEqual(['many 0', 'few 3', 'other 5', 'many 1', 'few 6', 'many 2', 'many 4']);
  expect(turns.isIdle).toBe(true);
});
