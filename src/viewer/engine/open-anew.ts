import { markLocal } from './local-mark.ts';
import { keepKey } from './take-key.ts';

/** Loads the page again with a key: a page that is the robot and one that visits it have nothing in common but the gate. */
export function openAnew(page: Document, key: string): void {
  const view = page.defaultView;
  if (!view) return;
  keepKey(view, key);
  view.history.replaceState(view.history.state, '', markLocal(view.location.href, false));
  view.location.reload();
}
