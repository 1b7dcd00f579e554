import { describe, expect, test } from 'vitest';
import { proveTask } from './prove-task.ts';
import { taskOf, tasksOnDisk } from './task-files.ts';

const SEED = 2;
/**
 * If one cube of three or four is meant, the blind agent is occasionally right by chance; the storm counts that over twenty
 * worlds.
 */
const OTHER_SEEDS = [3, 4, 5];

/** The tests of the tasks of one suite, each in one world; `npm run lab -- storm tasks` takes twenty. */
export function testSuite(suite: string): void {
  const tasks = tasksOnDisk.filter((onDisk) => onDisk.suite === suite);
  describe.each(tasks)('the task $name', (onDisk) => {
    const task = taskOf(onDisk);

    test('the task has the name of its file, and its instruction in three wordings', () => {
      expect([task.suite, task.id]).toEqual([onDisk.suite, onDisk.name]);
      expect(new Set(Object.values(task.instruction)).size).toBe(3);
    });

    test('the task is false at the start, not reached by doing nothing or blindly, solved by the planner, and its proof is true', async () => {
      const { failures, lucky } = await proveTask(task, SEED, OTHER_SEEDS);
      expect(failures).toEqual([]);
      expect(lucky).toBeLessThan(OTHER_SEEDS.length);
    });
  });
  test('the suite has ten tasks', () => expect(tasks.length).toBe(10));
}
