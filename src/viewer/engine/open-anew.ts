import { tabItems } from './browser-storage.ts';
import { markLocal } from './page-address.ts';
import { keepKey } from './take-key.ts';

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
