import type { KeptRuntime } from '../../../runtime/kept-runtime.ts';

/** Why a record holds no world: the physics had broken, or the browser accepted no more. */
export type NoWorld = 'broken' | 'storage';

/** The browser's record of one robot's world. */
export interface WorldRecord {
  /** A room, and the robot's identity there. */
  place: string;
  /** The owner of the record. Only the owner may write. */
  owner: string;
  /** When it was saved, milliseconds since the epoch. */
  savedAtMs: number;
  seed: number | null;
  kept: KeptRuntime | null;
  /** Set for a record without a world. */
  why: NoWorld | null;
}

/** Worlds by their place, for every tab of this browser. */
export interface WorldStore {
  read(place: string): Promise<WorldRecord | null>;
  /**
   * Makes this owner the only one that keeps the world of the place from now on. Old worlds of other places are dropped.
   * @returns the previous record
   */
  claim(place: string, owner: string, nowMs: number): Promise<WorldRecord | null>;
  /** @returns false when another owner has claimed the place; nothing is written then */
  put(record: WorldRecord): Promise<boolean>;
  /** @param owner removes only this owner's record; null removes it in any case */
  remove(place: string, owner: string | null): Promise<void>;
}

const DATABASE = 'simplesim.worlds';
const WORLDS = 'worlds';
const BY_TIME = 'savedAtMs';
/** A session lasts for hours. A world that nobody has continued for this long belongs to nobody. */
const KEPT_FOR_MS = 7 * 24 * 3_600_000;
const WORLDS_MAX = 8;

/** Opens the worlds in this browser's IndexedDB. A write is stored as a whole or not at all, and two tabs never write at once. */
export function openWorldStore(): WorldStore {
  let opened: Promise<IDBDatabase> | null = null;

  function database(): Promise<IDBDatabase> {
    opened ??= open(() => {
      opened = null;
    });
    // The next call tries again.
    opened.catch(() => {
      opened = null;
    });
    return opened;
  }

  /** Runs an operation in one transaction; settles when all of it is written. */
  async function inTransaction<T>(mode: IDBTransactionMode, act: (worlds: IDBObjectStore) => Promise<T>): Promise<T> {
    const transaction = (await database()).transaction(WORLDS, mode);
    const over = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser wrote nothing.'));
    });
    // A failed request ends the transaction, and that error is reported.
    const acted = act(transaction.objectStore(WORLDS));
    acted.catch(() => undefined);
    await over;
    return acted;
  }

  return {
    read: (place) =>
      inTransaction('readonly', async (worlds) => (await asked<WorldRecord | undefined>(worlds.get(place))) ?? null),
    claim: (place, owner, nowMs) =>
      inTransaction('readwrite', async (worlds) => {
        const before = (await asked<WorldRecord | undefined>(worlds.get(place))) ?? null;
        const mine: WorldRecord = before
          ? { ...before, owner }
          : { place, owner, savedAtMs: nowMs, seed: null, kept: null, why: null };
        await asked(worlds.put(mine));
        await sweep(worlds, place, nowMs);
        return before;
      }),
    put: (record) =>
      inTransaction('readwrite', async (worlds) => {
        const before = await asked<WorldRecord | undefined>(worlds.get(record.place));
        if (before && before.owner !== record.owner) return false;
        await asked(worlds.put(record));
        return true;
      }),
    remove: (place, owner) =>
      inTransaction('readwrite', async (worlds) => {
        const before = await asked<WorldRecord | undefined>(worlds.get(place));
        if (before && (owner === null || before.owner === owner)) await asked(worlds.delete(place));
      }),
  };
}

/**
 * @param onLost the database is closed: the browser cleared it, another tab clears it, or another tab has a newer version of it
 */
function open(onLost: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(WORLDS, { keyPath: 'place' }).createIndex(BY_TIME, BY_TIME);
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = onLost;
      // Anyone waiting for this one to close would wait as long as the page is open.
      database.onversionchange = () => {
        database.close();
        onLost();
      };
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}

/** Drops old worlds, and the oldest beyond a number, but never the one in use. */
async function sweep(worlds: IDBObjectStore, place: string, nowMs: number): Promise<void> {
  const [oldestFirst, dead] = await Promise.all([
    asked(worlds.index(BY_TIME).getAllKeys()),
    asked(worlds.index(BY_TIME).getAllKeys(IDBKeyRange.upperBound(nowMs - KEPT_FOR_MS))),
  ]);
  const tooMany = oldestFirst.slice(0, Math.max(0, oldestFirst.length - WORLDS_MAX));
  for (const key of new Set([...dead, ...tooMany])) if (key !== place) await asked(worlds.delete(key));
}

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
