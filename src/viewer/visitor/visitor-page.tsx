import type { Engine } from '../engine/types.ts';
import { createUiStore } from '../ui/common/ui-store.ts';
import { mountWith } from '../ui/mount.tsx';
import { VisitorApp } from './VisitorApp.tsx';

/**
 * Draws the page of a visitor's engine into `#app`.
 * @param askForKey opens the gate over it
 * @throws when the page has no such element
 */
export function mountInterface(page: Document, engine: Engine, askForKey: () => void): void {
  mountWith(
    page,
    engine,
    createUiStore({ panelTabs: ['scene'], tab: 'scene', panelOpen: false }),
    <VisitorApp onOtherKey={askForKey} />,
  );
}
