import { asksForLocal } from './engine/local-mark.ts';
import { takeKey } from './engine/take-key.ts';
import { openGate } from './ui/gate/gate.ts';
import { startInterface } from './ui/start.ts';

// First of all: from here on no key stands in the address bar or the history.
const takenKey = takeKey(window);
const gate = openGate(document, takenKey !== null || asksForLocal(location.href));

try {
  const { createBrowserEngine } = await import('./engine/browser-engine.ts');
  startInterface(document, gate, createBrowserEngine(takenKey));
} catch {
  gate.fail('Part of this page could not be loaded. Check the connection and reload the page.');
}
