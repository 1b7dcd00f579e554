import type { KeptAction } from '../../../runtime/action-record.ts';
import type { KeptRuntime } from '../../../runtime/kept-runtime.ts';
import { browserDatabases } from '../browser-storage.ts';

/** Why a record contains no world: the physics had failed, or the browser accepted no more data. */
export type NoWorld = 'broken' | 'storage';

/** The browser's record of one robot's world. */
export interface WorldRecord {
  /** A room of a media server and the robot's identity in it, as returned by `placeOf`. */
  place: string;
  /** The owner of the record. Only the owner may write it. */
  owner: string;
  /** When it was saved, milliseconds since the epoch. */
  savedAtMs: number;
  seed: number | null;
  kept: KeptRuntime | null;
  /** Why the record contains no world; null if it contains one. */
  why: NoWorld | null;
}

/** The data of one transaction. */
export interface Batch {
  place: string;
  owner: string;
  /** The newest world; null leaves the stored one unchanged. */
  world: WorldRecord | null;
  /** The newest state of each of these actions. */
  actions: readonly KeptAction[];
  /** Whether these are all actions of the place. */
  isAll: boolean;
}

/** Worlds and their actions by place, shared by all tabs of this browser. */
export interface WorldStore {
  read(place: string): Promise<WorldRecord | null>;
  /**
   * Makes this owner the only one that may store the world of the place. Drops old worlds of other places.
   * @returns the previous record and the stored actions of the place, unchecked
   */
  claim(place: string, owner: string, nowMs: number): Promise<{ before: WorldRecord | null; actions: unknown[] }>;
  /** Writes a batch. @returns false when another owner has claimed the place; nothing is written then */
  put(batch: Batch): Promise<boolean>;
  /** Removes the world and actions of the place if they still belong to this owner. */
  remove(place: string, owner: string): Promise<void>;
}

const DATABASE = 'simplesim.worlds';
const VERSION = 2;
const WORLDS = 'worlds';
const ACTIONS = 'actions';
const BY_TIME = 'savedAtMs';
/** A session lasts for hours. A world that has not been continued for this long is abandoned. */
const KEPT_FOR_MS = 7 * 24 * 3_600_000;
const WORLDS_MAX = 8;

interface Stores {
  worlds: IDBObjectStore;
  actions: IDBObjectStore;
}

/** An action in its store, by place and id. */
interface ActionRow {
  place: string;
  id: string;
  action: KeptAction;
}

/** All keys of a place: an empty array comes after every text. */
const actionsOf = (place: string): IDBKeyRange => IDBKeyRange.bound([place], [place, []]);

/** Opens the worlds in this browser's IndexedDB. A write is stored completely or not at all, and two tabs never write at once. */
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

  /** Runs an operation in one transaction. Settles when everything is written. */
  async function inTransaction<T>(mode: IDBTransactionMode, act: (stores: Stores) => Promise<T>): Promise<T> {
    const transaction = (await database()).transaction([WORLDS, ACTIONS], mode);
    const over = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser wrote nothing.'));
    });
    // A failed request ends the transaction, and that error is reported.
    const acted = act({ worlds: transaction.objectStore(WORLDS), actions: transaction.objectStore(ACTIONS) });
    acted.catch(() => undefined);
    await over;
    return acted;
  }

  return {
    read: (place) =>
      inTransaction('readonly', async ({ worlds }) => (await asked<WorldRecord | undefined>(worlds.get(place))) ?? null),
    claim: (place, owner, nowMs) =>
      inTransaction('readwrite', async (stores) => {
        const [found, rows] = await Promise.all([
          asked<WorldRecord | undefined>(stores.worlds.get(place)),
          asked<ActionRow[]>(stores.actions.getAll(actionsOf(place))),
        ]);
        const before = found ?? null;
        const mine: WorldRecord = before
          ? { ...before, owner }
          : { place, owner, savedAtMs: nowMs, seed: null, kept: null, why: null };
        await asked(stores.worlds.put(mine));
        await sweep(stores, place, nowMs);
        return { before, actions: rows.map(({ action }) => action) };
      }),
    put: ({ place, owner, world, actions: batch, isAll }) =>
      inTransaction('readwrite', async ({ worlds, actions }) => {
        const before = await asked<WorldRecord | undefined>(worlds.get(place));
        if (before && before.owner !== owner) return false;
        if (isAll) actions.delete(actionsOf(place));
        for (const action of batch) actions.put({ place, id: action.actionId, action } satisfies ActionRow);
        if (world) worlds.put(world);
        // The browser finishes a committed transaction even when the tab ends.
        worlds.transaction.commit();
        return true;
      }),
    remove: (place, owner) =>
      inTransaction('readwrite', async (stores) => {
        const before = await asked<WorldRecord | undefined>(stores.worlds.get(place));
        if (before?.owner === owner) await drop(stores, place);
      }),
  };
}

/**
 * Opens the database. @param onLost called when the database is closed: the browser cleared it, another tab clears it, or another
 * tab has a newer version of it
 */
function open(onLost: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = browserDatabases()?.open(DATABASE, VERSION);
    if (!request) throw new Error('The browser has no database for this page.');
    request.onupgradeneeded = () => {
      const { result } = request;
      // An older version of the page stored these worlds, and this version cannot continue them.
      for (const name of [...result.objectStoreNames]) result.deleteObjectStore(name);
      result.createObjectStore(WORLDS, { keyPath: 'place' }).createIndex(BY_TIME, BY_TIME);
      result.createObjectStore(ACTIONS, { keyPath: ['place', 'id'] });
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = onLost;
      // A tab that waits for this connection to close would wait as long as the page is open.
      database.onversionchange = () => {
        database.close();
        onLost();
      };
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}

/** Drops old worlds, and the oldest ones beyond a maximum number, but never the one in use. */
async function sweep(stores: Stores, place: string, nowMs: number): Promise<void> {
  const byTime = stores.worlds.index(BY_TIME);
  const [oldestFirst, dead] = await Promise.all([
    asked(byTime.getAllKeys()),
    asked(byTime.getAllKeys(IDBKeyRange.upperBound(nowMs - KEPT_FOR_MS))),
  ]);
  const tooMany = oldestFirst.slice(0, Math.max(0, oldestFirst.length - WORLDS_MAX));
  for (const key of new Set([...dead, ...tooMany])) if (key !== place) await drop(stores, String(key));
}

async function drop({ worlds, actions }: Stores, place: string): Promise<void> {
  await Promise.all([asked(worlds.delete(place)), asked(actions.delete(actionsOf(place)))]);
}

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
