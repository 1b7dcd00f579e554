import { RESULT_KEPT_MS, RESULTS_KEPT_MIN } from '../../protocol/limits.ts';
import type { StoredAction } from '../../runtime/action-record.ts';

/** Results of ended actions, kept across a reload of the tab (promise P5). */
export interface ResultStore {
  /** Oldest first. */
  load(): StoredAction[];
  add(stored: StoredAction): void;
}

type ItemStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'simplesim.results/';

/**
 * One item of storage per result, so that each write is small. Results of other rooms are dropped.
 * @param nowMs milliseconds since the epoch
 */
export function createResultStore(storage: ItemStorage, room: string, nowMs: () => number): ResultStore {
  const prefix = `${PREFIX}${encodeURIComponent(room)}/`;
  const kept: { item: string; finishedAtMs: number }[] = [];
  let nextNumber = 0;

  function load(): StoredAction[] {
    kept.length = 0;
    const found: { number: number; item: string; stored: StoredAction }[] = [];
    for (const item of itemsWith(storage, PREFIX)) {
      const stored = item.startsWith(prefix) ? parse(storage.getItem(item)) : null;
      if (stored) found.push({ number: Number(item.slice(prefix.length)), item, stored });
      else storage.removeItem(item);
    }
    found.sort((one, other) => one.number - other.number);
    for (const { item, stored } of found) kept.push({ item, finishedAtMs: stored.result.meta.finished_at_ms });
    nextNumber = (found.at(-1)?.number ?? -1) + 1;
    return found.map(({ stored }) => stored);
  }

  function add(stored: StoredAction): void {
    const item = `${prefix}${nextNumber}`;
    nextNumber += 1;
    const text = JSON.stringify(stored);
    dropOld();
    while (!trySet(item, text)) {
      // Full: the newest results matter most.
      if (!dropOldest()) return;
    }
    kept.push({ item, finishedAtMs: stored.result.meta.finished_at_ms });
  }

  function trySet(item: string, text: string): boolean {
    try {
      storage.setItem(item, text);
      return true;
    } catch {
      return false;
    }
  }

  function dropOld(): void {
    while (kept.length >= RESULTS_KEPT_MIN && (kept[0]?.finishedAtMs ?? 0) < nowMs() - RESULT_KEPT_MS) dropOldest();
  }

  function dropOldest(): boolean {
    const oldest = kept.shift();
    if (oldest) storage.removeItem(oldest.item);
    return oldest !== undefined;
  }

  return { load, add };
}

function itemsWith(storage: ItemStorage, prefix: string): string[] {
  const items: string[] = [];
  for (let index = 0; index < storage.length; index += 1) {
    const item = storage.key(index);
    if (item?.startsWith(prefix)) items.push(item);
  }
  return items;
}

/** Storage of this origin is written by this page alone; the check is for what an older version of it left. */
function parse(text: string | null): StoredAction | null {
  try {
    const value = JSON.parse(text ?? '') as Partial<StoredAction> | null;
    const whole = typeof value?.actionId === 'string' && typeof value.parametersKey === 'string';
    return whole && typeof value.result?.meta?.finished_at_ms === 'number' ? (value as StoredAction) : null;
  } catch {
    return null;
  }
}
