import { createBrowserEngine } from '../engine/browser-engine.ts';
import { setTheme } from '../ui/common/theme.ts';
import { createUiStore } from '../ui/common/ui-store.ts';
import { createViewAccess, ViewAccessProvider } from '../ui/common/view-access.ts';
import { mountWith } from '../ui/mount.tsx';
import { openBridge } from './bridge.ts';
import { EmbedApp } from './EmbedApp.tsx';
import { hostPort } from './host-port.ts';
import { type EmbedSettings, sideTabs } from './settings.ts';

/**
 * Starts the page as a frame of another: the world with few controls over it, and a bridge to the page around.
 * @param takenKey the key of the frame's address, if any; a robot that runs only in the frame takes none
 */
export function startEmbedded(view: Window, settings: EmbedSettings, takenKey: string | null): void {
  if (settings.theme) setTheme(view.document, settings.theme);
  const engine = createBrowserEngine(settings.tryHere ? null : takenKey, { keepsKey: false });
  const tabs = sideTabs(settings);
  const ui = createUiStore({
    view: settings.view,
    panelTabs: tabs,
    panelOpen: tabs.length > 0,
    camerasOpen: settings.panels.has('cameras'),
    ...(tabs[0] === undefined ? {} : { tab: tabs[0] }),
  });
  const access = createViewAccess();
  openBridge({ engine, ui, view: access, settings, host: hostPort(view) });
  mountWith(
    view.document,
    engine,
    ui,
    <ViewAccessProvider value={access}>
      <EmbedApp settings={settings} />
    </ViewAccessProvider>,
  );
}
