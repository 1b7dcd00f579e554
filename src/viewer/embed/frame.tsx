import { robotMistake, sceneMistake } from '../engine/page-address.ts';
import type { Engine } from '../engine/types.ts';
import { createUiStore } from '../ui/common/ui-store.ts';
import { createViewAccess, ViewAccessProvider } from '../ui/common/view-access.ts';
import { mountWith } from '../ui/mount.tsx';
import { signalState } from '../ui/page-signal.ts';
import { openBridge } from './bridge.ts';
import { EmbedApp } from './EmbedApp.tsx';
import { hostPort } from './host-port.ts';
import { type EmbedSettings, sideTabs } from './settings.ts';

/** Draws the interface of a frame for an engine, and opens the bridge to the page around. */
export function mountFrame(view: Window, settings: EmbedSettings, engine: Engine): void {
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
