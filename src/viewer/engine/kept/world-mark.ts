import type { KeptItems } from '../browser-storage.ts';

/**
 * A tab's notes on its stored world, which the tab reads after a reload. They are small and written at once; the world itself is
 * written while it runs.
 */
export interface WorldMark {
  place: string;
  /** The world's seed, so that a lost world starts again with it. */
  seed: number;
  /** When the page was unloaded, milliseconds since the epoch; null while it is open, and after a crash. */
  goneAtMs: number | null;
  /** When its simulation last failed, milliseconds since the epoch; null if it never failed. */
  failedAtMs: number | null;
}

export interface WorldMarkStore {
  read(): WorldMark | null;
  /** Writes the notes; null removes them. */
  write(mark: WorldMark | null): void;
}

/** The storage item, which ends with the tab. */
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
    // If the browser does not store the notes, the world starts from scratch and the page reports it.
    write: (mark) => void items.set(STORAGE_ITEM, mark && JSON.stringify(mark)),
  };
}

/**
 * Returns the place of a robot that runs only in this tab, the same after every reload. Null if the browser stores nothing for a
 * tab.
 * @param isNew makes another place: a duplicated tab starts with the notes of the original, including this one
 */
export function localPlaceOf(items: KeptItems, newId: () => string, isNew: boolean): string | null {
  const id = (isNew ? null : items.get(TAB_ITEM)) ?? newId();
  return items.set(TAB_ITEM, id) ? `this tab/${id}` : null;
}
