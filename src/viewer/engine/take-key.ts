/** Where this tab keeps its key while it is in a room: gone with the tab, and cleared on leaving. */
const STORAGE_ITEM = 'simplesim.key';
/** Parameters of a link that carry a key, or parts of one; they may stand in the query or in the fragment. */
const KEY_PARAMETERS = new Set(['key', 'lk_url', 'lk_token', 'lk_room']);

/** The page around the key; `window` fits. */
export interface KeyPage {
  location: { readonly href: string };
  history: Pick<History, 'state' | 'replaceState'>;
  sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

/**
 * Takes the key out of the address bar and the history, before anything else may read or send them, and keeps it for a reload of
 * this tab. Call it first thing in the page.
 * @returns the link that held a key, else what this tab kept from before, else null; unchecked
 */
export function takeKey(page: KeyPage): string | null {
  const href = page.location.href;
  const url = new URL(href);
  const search = withoutKey(url.search);
  const hash = withoutKey(url.hash);
  if (search === url.search && hash === url.hash) return page.sessionStorage.getItem(STORAGE_ITEM);
  page.history.replaceState(page.history.state, '', `${url.pathname}${search}${hash}`);
  page.sessionStorage.setItem(STORAGE_ITEM, href);
  return href;
}

/** Keeps a key for a reload of this tab; null forgets it. */
export function keepKey(page: Pick<KeyPage, 'sessionStorage'>, key: string | null): void {
  if (key === null) page.sessionStorage.removeItem(STORAGE_ITEM);
  else page.sessionStorage.setItem(STORAGE_ITEM, key);
}

/** Drops the key's parameters from `?a=1&key=…` or `#key=…` and leaves every other character as it is. */
function withoutKey(part: string): string {
  const marker = part.slice(0, 1);
  const kept = part
    .slice(1)
    .split('&')
    .filter((pair) => !KEY_PARAMETERS.has(pair.replace(/[=].*$/s, '').toLowerCase()))
    .join('&');
  return kept === '' ? '' : `${marker}${kept}`;
}
