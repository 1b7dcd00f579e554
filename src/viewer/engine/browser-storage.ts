/**
 * Texts that the browser keeps by name. Nothing here throws: where a person or a setting blocks the site's data, or the storage is
 * full, nothing is kept. Only this file touches the browser's storage (`npm run imports`).
 */
export interface KeptItems {
  /** Returns the text under a name; null when there is none, or the browser gives none. */
  get(name: string): string | null;
  /** @param text null removes the item @returns whether the browser has done so */
  set(name: string, text: string | null): boolean;
}

/** @param open returns the storage; may throw, and may return nothing */
export function itemsOf(open: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null | undefined): KeptItems {
  return {
    get(name) {
      try {
        return open()?.getItem(name) ?? null;
      } catch {
        return null;
      }
    },
    set(name, text) {
      try {
        const storage = open();
        if (text === null) storage?.removeItem(name);
        else storage?.setItem(name, text);
        return storage != null;
      } catch {
        return false;
      }
    },
  };
}

/** Kept for a reload of this tab, and gone with it. */
export const tabItems = itemsOf(() => globalThis.sessionStorage);
/** Kept for every page of this site in this browser. */
export const browserItems = itemsOf(() => globalThis.localStorage);
/** Keeps nothing. */
export const noItems = itemsOf(() => null);

/** Returns the browser's databases; null where it has none for this page. */
export function browserDatabases(): IDBFactory | null {
  try {
    return globalThis.indexedDB ?? null;
  } catch {
    return null;
  }
}
