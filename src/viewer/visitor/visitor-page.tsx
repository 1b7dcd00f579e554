import type { Engine } from '../engine/types.ts';
import { mayAct } from '../ui/common/may-act.ts';
import { createUiStore, type UiState } from '../ui/common/ui-store.ts';
import { mountWith } from '../ui/mount.tsx';
import { VisitorApp } from './VisitorApp.tsx';

/** The world fills the page; the list of objects can be opened beside it. */
const WATCHING: Partial<UiState> = { panelTabs: ['scene'], tab: 'scene', panelOpen: false };
/** Each picture of a camera is a call to the robot, so pictures are taken only on request. */
const AT_A_DISTANCE: Partial<UiState> = { camerasOpen: false };

/**
 * Renders the page of a visitor's engine into `#app`.
 * @param askForKey opens the gate over it
 * @throws when the page has no such element
 */
export function mountInterface(page: Document, engine: Engine, askForKey: () => void): void {
  const acts = mayAct(engine.store.getState());
  mountWith(page, engine, createUiStore(acts ? AT_A_DISTANCE : WATCHING), <VisitorApp onOtherKey={askForKey} />);
}
