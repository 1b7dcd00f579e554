import { withoutKeyFields } from '../../protocol/room-key.ts';
import type { KeptItems } from './browser-storage.ts';
import { asksForLocal } from './page-address.ts';

/** The storage item for this tab's key while it is in a room. It ends with the tab, and leaving the room clears it. */
const STORAGE_ITEM = 'simplesim.key';

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
    if (asksForLocal(href)) items.set(STORAGE_ITEM, null);
    return items.get(STORAGE_ITEM);
  }
  url.search = search;
  url.hash = hash;
  // The full address, because a path that begins with two slashes would name another host.
  page.history.replaceState(page.history.state, '', url.href);
  items.set(STORAGE_ITEM, href);
  return href;
}

/** Stores a key for a reload of this tab; null removes it. @returns whether the browser has done so */
export const keepKey = (items: KeptItems, key: string | null): boolean => items.set(STORAGE_ITEM, key);
