import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** How a person looks at the world: turning about a point, from above, or out of the robot's head. */
export type ViewKind = 'orbit' | 'top' | 'head';

/** The tabs of the side panel. */
export type PanelTab = 'skills' | 'actions' | 'scene' | 'state' | 'cameras';

/** What is drawn over the world for people; robot cameras never see it. */
export interface OverlaySwitches {
  /** The planned path with its goal. */
  path: boolean;
  /** How far the hands reach. */
  reach: boolean;
  /** What the head camera sees. */
  frustum: boolean;
  /** Names of the entities. */
  labels: boolean;
}

/** How much the page's picture may cost: by itself, or as chosen. */
export type QualityChoice = 'auto' | 'high' | 'medium' | 'low';

/** What this person has chosen on this page; nothing of it concerns the robot. */
export interface UiState {
  view: ViewKind;
  /** How often a view was chosen: whoever chooses the one they have wants it as it begins. */
  viewChoices: number;
  /** Does the view go along with the robot? */
  following: boolean;
  overlays: OverlaySwitches;
  /** The entity (or obstacle) whose card is open. */
  selectedEntityId: string | null;
  /** The entity or obstacle under the pointer, in the world or in a list. */
  hoveredEntityId: string | null;
  /** A place on the floor whose card is open, world frame, metres; never with a selected entity. */
  pointedAt: readonly [x: number, y: number] | null;
  quality: QualityChoice;
  tab: PanelTab;
  /** The tabs the side panel has; null for all of them. */
  panelTabs: readonly PanelTab[] | null;
  panelOpen: boolean;
  camerasOpen: boolean;
  /** Do keys, sticks and gamepads move the robot? */
  driving: boolean;
  /** What full deflection means while driving: a share of the robot's limits, in (0, 1]. */
  driveSpeed: number;
}

/** A person's choice of a view, for `setState`. */
export const choosingView =
  (view: ViewKind) =>
  ({ viewChoices }: UiState): Pick<UiState, 'view' | 'viewChoices'> => ({ view, viewChoices: viewChoices + 1 });

export type UiStore = StoreApi<UiState>;

/** @param start what differs from a page just opened */
export const createUiStore = (start: Partial<UiState> = {}): UiStore =>
  createStore<UiState>(() => ({
    view: 'orbit',
    viewChoices: 0,
    following: true,
    overlays: { path: true, reach: false, frustum: false, labels: true },
    selectedEntityId: null,
    hoveredEntityId: null,
    pointedAt: null,
    quality: 'auto',
    tab: 'skills',
    panelTabs: null,
    panelOpen: true,
    camerasOpen: true,
    driving: false,
    driveSpeed: 0.5,
    ...start,
  }));

const UiContext = createContext<UiStore | null>(null);

export const UiProvider = UiContext.Provider;

/** The page's choices, to change them. @throws outside of `UiProvider` */
export function useUiStore(): UiStore {
  const store = useContext(UiContext);
  if (!store) throw new Error('A component of the interface stands outside of UiProvider');
  return store;
}

/** Follows a part of the page's choices. */
export function useUi<T>(select: (state: UiState) => T): T {
  return useStore(useUiStore(), select);
}
