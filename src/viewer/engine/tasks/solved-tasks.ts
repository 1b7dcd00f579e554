import { browserItems, type KeptItems } from '../browser-storage.ts';

const ITEM = 'simplesim.solved_tasks';
/** More than there are tasks; what is not a task of the product is not kept for ever. */
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

/** Keeps that a task is solved. A browser that keeps nothing forgets it. */
export function noteSolved(id: string, items: KeptItems = browserItems): void {
  const ids = [...solvedTasks(items)].filter((known) => known !== id);
  items.set(ITEM, JSON.stringify([...ids, id].slice(-KEPT_MAX)));
}
