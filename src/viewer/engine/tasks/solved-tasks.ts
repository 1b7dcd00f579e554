import { browserItems, type KeptItems } from '../browser-storage.ts';

const ITEM = 'simplesim.solved_tasks';
/** A limit above the number of tasks, so that ids that are not built-in tasks are not stored for ever. */
const KEPT_MAX = 500;

/** Returns the ids of the tasks that a person has solved in this browser. */
export function solvedTasks(items: KeptItems = browserItems): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(items.get(ITEM) ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}

/** Stores that a task is solved, if the browser stores data. */
export function noteSolved(id: string, items: KeptItems = browserItems): void {
  const ids = [...solvedTasks(items)].filter((known) => known !== id);
  items.set(ITEM, JSON.stringify([...ids, id].slice(-KEPT_MAX)));
}
