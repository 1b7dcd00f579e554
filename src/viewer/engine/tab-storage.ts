import { withoutKeyFields } from '../../protocol/room/room-key.ts';
import { type KeptItems, tabItems } from './browser-storage.ts';
import { asksForLocal, markLocal } from './page-address.ts';

/** The items that a tab keeps for a reload and for the replay page. They end with the tab. */

/** The key while the tab is in a room; leaving the room clears it. */
const KEY = 'simplesim.key';
const WORLD = 'simplesim.world';
const PLACE = 'simplesim.tab';
/** A proof that was dropped on another page of this tab. */
const PROOF = 'simplesim.replay';

/** The parts of a page around the key; `window` fits. */
export interface KeyPage {
  location: { readonly href: string };
  history: Pick<History, 'state' | 'replaceState'>;
}

/**
 * Takes the key out of the address bar and the history before anything else can read or send it, and stores it for a reload of
 * this tab. An address that asks for a robot in this tab removes a stored key. Call it first in the page.
 * @param items those of this tab
 * @returns the link that contained a key, otherwise the key that this tab stored, otherwise null; unchecked
 */
export function takeKey(page: KeyPage, items: KeptItems): string | null {
  const href = page.location.href;
  const url = new URL(href);
  const search = withoutKeyFields(url.search);
  const hash = withoutKeyFields(url.hash);
  if (search === url.search && hash === url.hash) {
    // A person who asks for a robot in this tab leaves the previous one.
    if (asksForLocal(href)) items.set(KEY, null);
    return items.get(KEY);
  }
  url.search = search;
  url.hash = hash;
  // The full address, because a path that begins with two slashes would name another host.
  page.history.replaceState(page.history.state, '', url.href);
  items.set(KEY, href);
  return href;
}

/** Stores a key for a reload of this tab; null removes it. @returns whether the browser has done so */
export const keepKey = (items: KeptItems, key: string | null): boolean => items.set(KEY, key);

/** Loads the page again with a key. A page that is the robot and a page that visits one share nothing but the gate. */
export function openAnew(page: Document, key: string): void {
  const view = page.defaultView;
  if (!view) return;
  const address = new URL(markLocal(view.location.href, false));
  // The next page removes the key from the address before anything else.
  if (!keepKey(tabItems, key)) address.hash = `key=${encodeURIComponent(key)}`;
  view.history.replaceState(view.history.state, '', address.href);
  view.location.reload();
}

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

export function createWorldMarkStore(items: KeptItems): WorldMarkStore {
  return {
    read() {
      try {
        const value = JSON.parse(items.get(WORLD) ?? 'null') as Partial<WorldMark> | null;
        if (typeof value?.place !== 'string' || !Number.isInteger(value.seed)) return null;
        const { place, goneAtMs = null, failedAtMs = null } = value;
        return { place, seed: value.seed as number, goneAtMs, failedAtMs };
      } catch {
        return null;
      }
    },
    // If the browser does not store the notes, the world starts from scratch and the page reports it.
    write: (mark) => void items.set(WORLD, mark && JSON.stringify(mark)),
  };
}

/**
 * Returns the place of a robot that runs only in this tab, the same after every reload. Null if the browser stores nothing for a
 * tab.
 * @param isNew makes another place: a duplicated tab starts with the notes of the original, including this one
 */
export function localPlaceOf(items: KeptItems, newId: () => string, isNew: boolean): string | null {
  const id = (isNew ? null : items.get(PLACE)) ?? newId();
  return items.set(PLACE, id) ? `this tab/${id}` : null;
}

/** Leaves a proof for the replay page. @returns whether the browser had room for it */
export const handProof = (items: KeptItems, name: string, text: string): boolean =>
  items.set(PROOF, JSON.stringify({ name, text }));

/** Takes the proof that was left, once. */
export function takeHandedProof(items: KeptItems): { name: string; text: string } | null {
  try {
    const left = items.get(PROOF);
    items.set(PROOF, null);
    if (left === null) return null;
    const { name, text } = JSON.parse(left) as { name?: unknown; text?: unknown };
    return typeof name === 'string' && typeof text === 'string' ? { name, text } : null;
  } catch {
    return null;
  }
}

/** Removes a proof that was left, after another tab has copied it. */
export const forgetHanded = (items: KeptItems): void => void items.set(PROOF, null);
