import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import RAPIER from '@dimforge/rapier3d-compat';
import type { TaskFile } from '../../src/protocol/files/task-file.ts';
import { createRun, type Run, type RunDeps } from '../../src/tasks/recorded-run.ts';
import { readTask } from '../../src/tasks/task-reader.ts';

const TASKS_DIR = join(import.meta.dirname, '../../tasks');

export interface TaskOnDisk {
  suite: string;
  /** Name of its file without the ending. */
  name: string;
  text: string;
}

/** Every task of the product, in the order of their paths. */
export const tasksOnDisk: readonly TaskOnDisk[] = readdirSync(TASKS_DIR, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: suite }) =>
    readdirSync(join(TASKS_DIR, suite))
      .filter((file) => file.endsWith('.json'))
      .map((file) => ({ suite, name: file.slice(0, -'.json'.length), text: readFileSync(join(TASKS_DIR, suite, file), 'utf8') })),
  )
  .sort((a, b) => (a.suite + a.name < b.suite + b.name ? -1 : 1));

/** @throws Error with the problems if the file is not a valid task */
export function taskOf({ name, text }: Pick<TaskOnDisk, 'name' | 'text'>): TaskFile {
  const read = readTask(text);
  if (!read.ok) throw new Error(`${name}: ${read.problems.map(({ path, reason }) => `${path}: ${reason}`).join('; ')}`);
  return read.task;
}

/** A run of a task, or without one, whose pictures are never drawn. */
export async function runOf(task: TaskFile | undefined, options: Partial<RunDeps> = {}): Promise<Run> {
  await RAPIER.init();
  return createRun({
    rapier: RAPIER,
    seed: 1,
    productVersion: '0.0.0-test',
    cameras: { kind: 'none' },
    startCapture: () => undefined,
    onAction: () => undefined,
    ...(task === undefined ? {} : { task }),
    ...options,
  });
}
