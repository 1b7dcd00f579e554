import { createBrowserEngine } from '../engine/browser-engine.ts';
import { robotMistake, sceneMistake } from '../engine/page-address.ts';
import { isVisitorKey } from '../engine/visitor-key.ts';
import { setTheme } from '../ui/common/theme.ts';
import { createUiStore } from '../ui/common/ui-store.ts';
import { createViewAccess, ViewAccessProvider } from '../ui/common/view-access.ts';
import { mountWith } from '../ui/mount.tsx';
import { signalState } from '../ui/page-signal.ts';
import { openBridge } from './bridge.ts';
import { EmbedApp } from './EmbedApp.tsx';
import { hostPort } from './host-port.ts';
import { type EmbedSettings, sideTabs } from './settings.ts';
import { createSwitchEngine, type EngineKinds } from './switch-engine.ts';

/** A frame keeps no key, so that another site that shows this page never gets this page's key. */
const KINDS: EngineKinds = {
  isForVisitor: (key) => isVisitorKey(key, location.protocol),
  createRobot: (key) => createBrowserEngine(key, { keepsKey: false }),
  async createVisitor(key) {
    const { createBrowserVisitor } = await import('../engine/visitor/browser-visitor.ts');
    return createBrowserVisitor(key, { keepsKey: false });
  },
};

/**
 * Starts the page as a frame of another: the world with few controls over it, and a bridge to the page around.
 * @param takenKey the key of the frame's address, if any; a robot that runs only in the frame takes none
 */
export async function startEmbedded(view: Window, settings: EmbedSettings, takenKey: string | null): Promise<void> {
  if (settings.theme) setTheme(view.document, settings.theme);
  const visits = !settings.tryHere && takenKey !== null && KINDS.isForVisitor(takenKey);
  const first = visits
    ? await KINDS.createVisitor(takenKey)
    : createBrowserEngine(settings.tryHere ? null : takenKey, { keepsKey: false });
  const engine = createSwitchEngine(KINDS, first, visits);
  signalState(view.document, engine);
  const tabs = sideTabs(settings, true);
  const ui = createUiStore({
    view: settings.view,
    panelTabs: tabs,
    panelOpen: tabs.length > 0,
    camerasOpen: settings.panels.has('cameras'),
    ...(tabs[0] === undefined ? {} : { tab: tabs[0] }),
  });
  const access = createViewAccess();
  const host = hostPort(view);
  const { href } = view.location;
  for (const mistake of [sceneMistake(href), robotMistake(href)]) if (mistake !== null) host.warn(mistake);
  openBridge({ engine, ui, view: access, settings, host });
  mountWith(
    view.document,
    engine,
    ui,
    <ViewAccessProvider value={access}>
      <EmbedApp settings={settings} />
    </ViewAccessProvider>,
  );
}
