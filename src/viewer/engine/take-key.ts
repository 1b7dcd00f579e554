import { withoutKeyFields } from '../../protocol/room-key.ts';
import type { KeptItems } from './browser-storage.ts';
import { asksForLocal } from './page-address.ts';

/** The storage item for this tab's key while it is in a room: gone with the tab, and cleared on leaving. */
const STORAGE_ITEM = 'simplesim.key';

/** The page around the key; `window` fits. */
export interface KeyPage {
  location: { readonly href: string };
  history: Pick<History, 'state' | 'replaceState'>;
}

/**
 * Takes the key out of the address bar and the history, before anything else can read or send them, and keeps it for a reload of
 * this tab. An address that asks for a robot in this tab forgets a kept one. Call it first in the page.
 * @param items those of this tab
 * @returns the link that held a key, otherwise the key that this tab kept, otherwise null; unchecked
 */
export function takeKey(page: KeyPage, items: KeptItems): string | null {
  const href = page.location.href;
  const url = new URL(href);
  const search = withoutKeyFields(url.search);
  const hash = withoutKeyFields(url.hash);
  if (search === url.search && hash === url.hash) {
    // Whoever asks for a robot in this tab leaves the one before.
    if (asksForLocal(href)) items.set(STORAGE_ITEM, null);
    return items.get(STORAGE_ITEM);
  }
  url.search = search;
  url.hash = hash;
  // The whole address, because a path of two slashes alone would name another host.
  page.history.replaceState(page.history.state, '', url.href);
  items.set(STORAGE_ITEM, href);
  return href;
}

/** Keeps a key for a reload of this tab; null forgets it. @returns whether the browser does so */
export const keepKey = (items: KeptItems, key: string | null): boolean => items.set(STORAGE_ITEM, key);
