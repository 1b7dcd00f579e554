import '../styles/agent.css';
import { setTheme, storedTheme } from '../ui/common/theme.ts';
import { createUiStore } from '../ui/common/ui-store.ts';
import { mountWith } from '../ui/mount.tsx';
import { AgentApp } from './AgentApp.tsx';
import { AgentProvider } from './agent-context.ts';
import { createBrowserAgent } from './browser-agent.ts';

setTheme(document, storedTheme());
const { engine, seen } = createBrowserAgent();
mountWith(
  document,
  engine,
  createUiStore({ camerasOpen: false, panelOpen: true }),
  <AgentProvider value={seen}>
    <AgentApp />
  </AgentProvider>,
);
