import { TASK_MAX_BYTES } from '../../../protocol/files/task-file.ts';
import { readTask } from '../../../tasks/task-reader.ts';
import { fetchFile } from '../fetch-file.ts';
import { readTaskAddress } from '../page-address.ts';
import { type Engine, type FileRefusal, productTask } from '../types.ts';
import { FIRST_SEED, taskById } from './task-list.ts';

/**
 * Opens the task that a page's address names for the robot of this tab: a built-in task by its id, or a file by its address. If
 * there is no such task, the robot opens without one, and the page shows why.
 * @param asked the task in the address
 * @param href the page's address
 */
export async function openTask(engine: Engine, asked: string, seed: number, href: string): Promise<void> {
  const own = taskById(asked);
  const address = readTaskAddress(href);
  if (own) {
    const reason = engine.tasks?.play(productTask(own), seed) ?? null;
    if (reason !== null) refuse(engine, asked, [{ path: '', reason }]);
    return;
  }
  if (address === null) return engine.tryHere();
  const fetched = await fetchFile(address, { ownOrigin: new URL(href).origin, maxBytes: TASK_MAX_BYTES });
  const problems = fetched.ok
    ? playText(engine, fetched.text, asked, seed)
    : fetched.problems.map(({ path, reason }) => ({ path, reason: `The task ${reason}` }));
  if (problems.length > 0) refuse(engine, address, problems);
}

function refuse(engine: Engine, name: string, problems: FileRefusal['problems']): void {
  engine.tryHere();
  engine.store.setState({ fileRefusal: { kind: 'task', name, problems } });
}

/** Begins the task of a file that a person has dropped. @returns the problems of the file; empty when the task has begun */
export const playDropped = (engine: Engine, text: string): FileRefusal['problems'] => playText(engine, text, null, FIRST_SEED);

function playText(engine: Engine, text: string, address: string | null, seed: number): FileRefusal['problems'] {
  const read = readTask(text);
  if (!read.ok) return read.problems;
  const reason = engine.tasks?.play({ file: read.task, address }, seed) ?? null;
  return reason === null ? [] : [{ path: '', reason }];
}
