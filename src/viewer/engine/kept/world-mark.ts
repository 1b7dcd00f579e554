import type { KeptItems } from '../browser-storage.ts';

/**
 * A tab's notes on the world that it keeps, for its own reload. They are small and written at once; the world itself is written
 * as it runs.
 */
export interface WorldMark {
  place: string;
  /** The world's seed, so that a lost world starts again with it. */
  seed: number;
  /** When the page went away, milliseconds since the epoch; null while it is open, and after a crash. */
  goneAtMs: number | null;
  /** When its simulation last failed, milliseconds since the epoch; null for never. */
  failedAtMs: number | null;
}

export interface WorldMarkStore {
  read(): WorldMark | null;
  /** Null forgets it. */
  write(mark: WorldMark | null): void;
}

/** Gone with the tab. */
const STORAGE_ITEM = 'simplesim.world';
const TAB_ITEM = 'simplesim.tab';

export function createWorldMarkStore(items: KeptItems): WorldMarkStore {
  return {
    read() {
      try {
        const value = JSON.parse(items.get(STORAGE_ITEM) ?? 'null') as Partial<WorldMark> | null;
        if (typeof value?.place !== 'string' || !Number.isInteger(value.seed)) return null;
        const { place, goneAtMs = null, failedAtMs = null } = value;
        return { place, seed: value.seed as number, goneAtMs, failedAtMs };
      } catch {
        return null;
      }
    },
    // A world whose mark the browser does not keep starts afresh, and the page says so.
    write: (mark) => void items.set(STORAGE_ITEM, mark && JSON.stringify(mark)),
  };
}

/**
 * Returns the place of a robot that runs only in this tab, the same after every reload. Null where the browser keeps nothing for
 * a tab.
 * @param isNew makes another place: a tab that a browser duplicates starts with the notes of the first, including this one
 */
export function localPlaceOf(items: KeptItems, newId: () => string, isNew: boolean): string | null {
  const id = (isNew ? null : items.get(TAB_ITEM)) ?? newId();
  return items.set(TAB_ITEM, id) ? `this tab/${id}` : null;
}
