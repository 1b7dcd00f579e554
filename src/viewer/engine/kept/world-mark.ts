/** What a tab notes of the world that it keeps, for its own reload: little, and at once, where the world itself is written as it goes. */
export interface WorldMark {
  place: string;
  /** Of the world, so that one that is lost begins with it again. */
  seed: number;
  /** When the page went away, milliseconds since the epoch; null while it is there, and after a crash. */
  goneAtMs: number | null;
  /** When its simulation failed last, milliseconds since the epoch; null: never. */
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

/** @param storage may be forbidden: then nothing is noted */
export function createWorldMarkStore(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): WorldMarkStore {
  return {
    read() {
      try {
        const value = JSON.parse(storage().getItem(STORAGE_ITEM) ?? 'null') as Partial<WorldMark> | null;
        if (typeof value?.place !== 'string' || !Number.isInteger(value.seed)) return null;
        const { place, goneAtMs = null, failedAtMs = null } = value;
        return { place, seed: value.seed as number, goneAtMs, failedAtMs };
      } catch {
        return null;
      }
    },
    write(mark) {
      try {
        if (mark === null) storage().removeItem(STORAGE_ITEM);
        else storage().setItem(STORAGE_ITEM, JSON.stringify(mark));
      } catch {
        // The world begins anew then, and the page says so.
      }
    },
  };
}

/**
 * The place of a robot of this tab alone: its own, over every reload. Null where the browser keeps nothing for a tab.
 * @param isNew another one from now on: a tab that a browser duplicates begins with what the first one noted, this too
 */
export function localPlaceOf(
  storage: () => Pick<Storage, 'getItem' | 'setItem'>,
  newId: () => string,
  isNew: boolean,
): string | null {
  try {
    const id = (isNew ? null : storage().getItem(TAB_ITEM)) ?? newId();
    storage().setItem(TAB_ITEM, id);
    return `this tab/${id}`;
  } catch {
    return null;
  }
}
