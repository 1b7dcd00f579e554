import { createBrowserEngine } from '../engine/browser-engine.ts';
import { isVisitorKey } from '../engine/visitor-key.ts';
import { setTheme } from '../ui/common/theme.ts';
import { mountFrame } from './frame.tsx';
import type { EmbedSettings } from './settings.ts';
import { createSwitchEngine, type EngineKinds } from './switch-engine.ts';

/** A frame stores no key, so that another site that shows this page never gets this page's key. */
const KINDS: EngineKinds = {
  isForVisitor: (key) => isVisitorKey(key, location.protocol),
  createRobot: (key) => createBrowserEngine(key, { keepsKey: false }),
  async createVisitor(key) {
    const { createBrowserVisitor } = await import('../engine/visitor/browser-visitor.ts');
    return createBrowserVisitor(key, { keepsKey: false });
  },
};

/**
 * Starts the page as a frame of another page: the world with few controls over it, and a bridge to the surrounding page.
 * @param takenKey the key of the frame's address, if any; a robot that runs only in the frame takes none
 */
export async function startEmbedded(view: Window, settings: EmbedSettings, takenKey: string | null): Promise<void> {
  if (settings.theme) setTheme(view.document, settings.theme);
  const visits = !settings.tryHere && takenKey !== null && KINDS.isForVisitor(takenKey);
  const first = visits
    ? await KINDS.createVisitor(takenKey)
    : createBrowserEngine(settings.tryHere ? null : takenKey, { keepsKey: false });
  mountFrame(view, settings, createSwitchEngine(KINDS, first, visits));
}
