/**
 * Texts that the browser stores by name. Nothing here throws: if a person or a setting blocks the site's data, or the storage is
 * full, nothing is stored. Only this file touches the browser's storage (`npm run imports`).
 */
export interface KeptItems {
  /** Returns the text stored under a name; null if there is none or the browser denies access. */
  get(name: string): string | null;
  /** Stores a text. @param text null removes the item @returns whether the browser has stored or removed it */
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

/** Storage that survives a reload of this tab and ends with the tab. */
export const tabItems = itemsOf(() => globalThis.sessionStorage);
/** Storage that all pages of this site in this browser share. */
export const browserItems = itemsOf(() => globalThis.localStorage);
/** Storage that keeps nothing. */
export const noItems = itemsOf(() => null);

/** Returns the browser's databases; null if the browser has none for this page. */
export function browserDatabases(): IDBFactory | null {
  try {
    return globalThis.indexedDB ?? null;
  } catch {
    return null;
  }
}
