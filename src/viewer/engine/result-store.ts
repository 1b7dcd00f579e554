import { callerKey } from '../../protocol/caller.ts';
import { FairShelf } from '../../protocol/fair-shelf.ts';
import { RESULT_KEPT_MS, RESULTS_KEPT_MAX, RESULTS_KEPT_MIN } from '../../protocol/limits.ts';
import type { AcceptedAction, StoredAction } from '../../runtime/action-record.ts';
import { interruptedAction } from '../../runtime/interrupted.ts';

/** Actions of this tab, kept across its reload (promise P5): ended ones with their results, and those that still run. */
export interface ResultStore {
  /** Oldest first. Actions that were accepted and never ended are included, as failures. */
  load(): StoredAction[];
  /** Stores an accepted action. Until it ends, a reload finds it interrupted. */
  accept(accepted: AcceptedAction): void;
  add(stored: StoredAction): void;
}

type ItemStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/** A stored action. */
interface Kept {
  item: string;
  finishedAtMs: number;
}

const PREFIX = 'simplesim.results/';
const RUNNING = 'running/';

/**
 * Uses one item of storage per action, so that each write is small. Items of other places are dropped. It keeps as much as the
 * runtime's ledger; if the storage is full earlier, the caller with the most loses its oldest.
 * @param place the owner of the results: two runtimes in one room keep separate ones
 * @param nowMs milliseconds since the epoch
 */
export function createResultStore(storage: ItemStorage, place: string, nowMs: () => number): ResultStore {
  const prefix = `${PREFIX}${encodeURIComponent(place)}/`;
  const runningPrefix = `${prefix}${RUNNING}`;
  let kept = new FairShelf<Kept>(RESULTS_KEPT_MAX);
  let nextNumber = 0;

  function load(): StoredAction[] {
    kept = new FairShelf(RESULTS_KEPT_MAX);
    const found: { number: number; item: string; stored: StoredAction }[] = [];
    const running: AcceptedAction[] = [];
    for (const item of itemsWith(storage, PREFIX)) {
      const accepted = item.startsWith(runningPrefix) ? parseAccepted(storage.getItem(item)) : null;
      const stored = item.startsWith(prefix) && !accepted ? parseStored(storage.getItem(item)) : null;
      if (accepted) running.push(accepted);
      else if (stored) found.push({ number: Number(item.slice(prefix.length)), item, stored });
      else storage.removeItem(item);
    }
    found.sort((one, other) => one.number - other.number);
    for (const { item, stored } of found) keep(item, stored);
    nextNumber = (found.at(-1)?.number ?? -1) + 1;
    return [...found.map(({ stored }) => stored), ...endInterrupted(running, found)];
  }

  /** Writes the end of actions that never ended, so that every later reload reports the same. */
  function endInterrupted(running: AcceptedAction[], found: readonly { stored: StoredAction }[]): StoredAction[] {
    const ended = new Set(found.map(({ stored }) => stored.actionId));
    const interrupted = running
      .filter(({ actionId }) => !ended.has(actionId))
      .sort((one, other) => one.startedAtMs - other.startedAtMs)
      .map((accepted) => interruptedAction(accepted, nowMs()));
    for (const stored of interrupted) add(stored);
    for (const { actionId } of running) storage.removeItem(`${runningPrefix}${actionId}`);
    return interrupted;
  }

  function accept(accepted: AcceptedAction): void {
    const item = `${runningPrefix}${accepted.actionId}`;
    // The first record of an action stays.
    if (storage.getItem(item) === null) write(item, JSON.stringify(accepted));
  }

  function add(stored: StoredAction): void {
    const item = `${prefix}${nextNumber}`;
    nextNumber += 1;
    dropOld();
    if (write(item, JSON.stringify(stored))) keep(item, stored);
    storage.removeItem(`${runningPrefix}${stored.actionId}`);
  }

  function keep(item: string, { caller, result }: StoredAction): void {
    forget(kept.put(item, callerKey(caller), { item, finishedAtMs: result.meta.finished_at_ms }));
  }

  function forget(dropped: Kept | null): boolean {
    if (dropped) storage.removeItem(dropped.item);
    return dropped !== null;
  }

  /** Writes an item. When the storage is full, the newest matter most. */
  function write(item: string, text: string): boolean {
    while (!trySet(item, text)) if (!forget(kept.dropOneOfMost())) return false;
    return true;
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
    while (kept.size >= RESULTS_KEPT_MIN && (kept.oldest()?.finishedAtMs ?? 0) < nowMs() - RESULT_KEPT_MS) {
      forget(kept.dropOldest());
    }
  }

  return { load, accept, add };
}

function itemsWith(storage: ItemStorage, prefix: string): string[] {
  const items: string[] = [];
  for (let index = 0; index < storage.length; index += 1) {
    const item = storage.key(index);
    if (item?.startsWith(prefix)) items.push(item);
  }
  return items;
}

/** Parses an item. Only this page writes the storage of this origin; the checks are for items of an older version. */
function parse<T extends StoredAction | AcceptedAction>(text: string | null): Partial<T> | null {
  try {
    const value = JSON.parse(text ?? '') as Partial<T> | null;
    return typeof value?.actionId === 'string' && typeof value.parametersKey === 'string' ? value : null;
  } catch {
    return null;
  }
}

function parseStored(text: string | null): StoredAction | null {
  const value = parse<StoredAction>(text);
  return typeof value?.result?.meta?.finished_at_ms === 'number' && typeof value.caller === 'object'
    ? (value as StoredAction)
    : null;
}

function parseAccepted(text: string | null): AcceptedAction | null {
  const value = parse<AcceptedAction>(text);
  return typeof value?.startedAtMs === 'number' && typeof value.caller === 'object' ? (value as AcceptedAction) : null;
}
