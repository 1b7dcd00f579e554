import '../styles/interface.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Engine } from '../engine/types.ts';
import { App } from './App.tsx';
import { ignoreComposingKeys } from './common/composing-keys.ts';
import { EngineProvider } from './common/engine-context.ts';
import { PartBoundary } from './common/PartBoundary.tsx';
import { ToastProvider } from './common/Toasts.tsx';
import { createUiStore, UiProvider, type UiStore } from './common/ui-store.ts';

/**
 * Renders the interface of an engine into `#app`.
 * @param askForKey opens the gate over it
 * @throws when the page has no such element
 */
export function mountInterface(page: Document, engine: Engine, askForKey: () => void): void {
  mountWith(page, engine, createUiStore(), <App onOtherKey={askForKey} />);
  // Only a browser with WebMCP has this property and needs the code.
  if ('modelContext' in page)
    void import('../webmcp/offer-tools.ts').then(
      ({ offerTools }) => offerTools(engine, page),
      () => undefined,
    );
}

/** Renders a part of the interface into `#app`. @throws when the page has no such element */
export function mountWith(page: Document, engine: Engine, ui: UiStore, content: ReactNode): void {
  const container = page.getElementById('app');
  if (!container) throw new Error('index.html has no element with the id app');
  ignoreComposingKeys(window);
  createRoot(container).render(
    <StrictMode>
      <EngineProvider value={engine}>
        <UiProvider value={ui}>
          <ToastProvider>
            <PartBoundary name="This page">{content}</PartBoundary>
          </ToastProvider>
        </UiProvider>
      </EngineProvider>
    </StrictMode>,
  );
}
