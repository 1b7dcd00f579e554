import { withoutKeyFields } from '../../protocol/room-key.ts';
import { asksForLocal } from './local-mark.ts';

/** The storage item for this tab's key while it is in a room: gone with the tab, and cleared on leaving. */
const STORAGE_ITEM = 'simplesim.key';

/** The page around the key; `window` fits. */
export interface KeyPage {
  location: { readonly href: string };
  history: Pick<History, 'state' | 'replaceState'>;
  sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

/**
 * Takes the key out of the address bar and the history, before anything else can read or send them, and keeps it for a reload of
 * this tab. An address that asks for a robot in this tab forgets a kept one. Call it first in the page.
 * @returns the link that held a key, otherwise the key that this tab kept, otherwise null; unchecked
 */
export function takeKey(page: KeyPage): string | null {
  const href = page.location.href;
  const url = new URL(href);
  const search = withoutKeyFields(url.search);
  const hash = withoutKeyFields(url.hash);
  if (search === url.search && hash === url.hash) {
    // Whoever asks for a robot in this tab leaves the one before.
    if (asksForLocal(href)) page.sessionStorage.removeItem(STORAGE_ITEM);
    return page.sessionStorage.getItem(STORAGE_ITEM);
  }
  url.search = search;
  url.hash = hash;
  // The whole address, because a path of two slashes alone would name another host.
  page.history.replaceState(page.history.state, '', url.href);
  page.sessionStorage.setItem(STORAGE_ITEM, href);
  return href;
}

/** Keeps a key for a reload of this tab; null forgets it. */
export function keepKey(page: Pick<KeyPage, 'sessionStorage'>, key: string | null): void {
  if (key === null) page.sessionStorage.removeItem(STORAGE_ITEM);
  else page.sessionStorage.setItem(STORAGE_ITEM, key);
}
