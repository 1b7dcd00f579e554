import '../styles/robots.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { fetchOwn, ownAddress } from '../engine/own-server.ts';
import { ignoreComposingKeys } from '../ui/common/composing-keys.ts';
import { ToastProvider } from '../ui/common/Toasts.tsx';
import { setTheme, storedTheme } from '../ui/common/theme.ts';
import { openAccount } from './account.ts';
import { KeyEntry } from './KeyEntry.tsx';
import { CODE_ENDED, exchangeCode, takeOpenCode } from './open-code.ts';
import { RobotsPage } from './RobotsPage.tsx';
import { RobotsStore } from './robots-store.ts';
import { RobotsStoreProvider, useRobotsState } from './store-context.ts';

const RELOADED = 'The reload of this page has removed the key, because it was only in memory. Paste it again.';

// Call this first: from here on, no code is in the address bar or the history.
const code = takeOpenCode(window);
setTheme(document, storedTheme());
const store = new RobotsStore({
  openAccount: (apiKey) => openAccount(apiKey, ownAddress('/rcs')),
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  setTimer: (run, afterMs) => window.setTimeout(run, afterMs),
  clearTimer: (timer) => window.clearTimeout(timer),
  isHidden: () => document.visibilityState === 'hidden',
});
document.addEventListener('visibilitychange', () => store.look());
// A page from the browser's back/forward cache returns in its old state, so leaving the page removes the key.
window.addEventListener('pagehide', () => store.forget());
if (wasReloaded()) store.forget({ text: RELOADED, isProblem: false });
if (code !== null) {
  const key = await exchangeCode(code, fetchOwn);
  if (key === null) store.forget({ text: CODE_ENDED, isProblem: true });
  else store.take(key);
}

const container = document.getElementById('app');
if (!container) throw new Error('robots.html has no element with the id app');
ignoreComposingKeys(window);
createRoot(container).render(
  <StrictMode>
    <RobotsStoreProvider value={store}>
      <ToastProvider>
        <Robots />
      </ToastProvider>
    </RobotsStoreProvider>
  </StrictMode>,
);

function Robots() {
  const { access } = useRobotsState();
  return access === 'open' ? <RobotsPage /> : <KeyEntry />;
}

function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return entry instanceof PerformanceNavigationTiming && entry.type === 'reload';
}
