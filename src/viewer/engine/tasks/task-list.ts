import type { TaskFile } from '../../../protocol/task-file.ts';

/** The tasks that come with the product; `tests/tasks` holds each against its schema. Loaded when a person wants one. */
const FILES = import.meta.glob<TaskFile>('../../../../tasks/*/*.json', { eager: true, import: 'default' });

/** In the order of their suites and names. */
export const TASKS: readonly TaskFile[] = Object.keys(FILES)
  .sort()
  .flatMap((path) => FILES[path] ?? []);

/** Returns the task of this id, or null. */
export const taskById = (id: string): TaskFile | null => TASKS.find((task) => task.id === id) ?? null;
