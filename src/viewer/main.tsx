import { readEmbedSettings } from './embed/settings.ts';
import { noItems, tabItems } from './engine/browser-storage.ts';
import { asksForLocal } from './engine/page-address.ts';
import { openSimulationAhead } from './engine/simulation-port.ts';
import { takeKey } from './engine/tab-storage.ts';
import { isVisitorKey } from './engine/visitor-key.ts';
import { setTheme, storedTheme } from './ui/common/theme.ts';
import { openGate } from './ui/gate/gate.ts';
import { startInterface } from './ui/start.ts';

const embedded = readEmbedSettings(location.href);
// Call this first: from here on, no key is in the address bar or the history. A frame stores no key, so that another site that
// shows this page never gets this page's key.
const takenKey = takeKey(window, embedded ? noItems : tabItems);
if (!embedded) setTheme(document, storedTheme());
const startsAtOnce = embedded !== null || takenKey !== null || asksForLocal(location.href);
/** A page that visits a robot which runs elsewhere needs no simulation of its own. */
const visits = takenKey !== null && isVisitorKey(takenKey, location.protocol);
const gate = openGate(document, startsAtOnce, visits);
// The parts that take longest load in parallel with the page's own code, not after it.
if (startsAtOnce && !visits) openSimulationAhead();
if (visits) void import('../room/browser-visitor-room.ts').catch(() => undefined);
else if (takenKey !== null) void import('../room/browser-room.ts').catch(() => undefined);

try {
  if (embedded) {
    const { startEmbedded } = await import('./embed/start.ts');
    await startEmbedded(window, embedded, takenKey);
  } else if (visits) {
    const { createBrowserVisitor } = await import('./engine/visitor/browser-visitor.ts');
    startInterface(document, gate, createBrowserVisitor(takenKey), () => import('./visitor/visitor-page.tsx'));
  } else {
    const { createBrowserEngine } = await import('./engine/browser-engine.ts');
    startInterface(document, gate, createBrowserEngine(takenKey));
  }
} catch {
  gate.fail('Part of this page could not be loaded. Check the connection and reload the page.');
}
