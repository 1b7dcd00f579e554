import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** A person's view of the world: orbiting a point, from above, or from the robot's head. */
export type ViewKind = 'orbit' | 'top' | 'head';

/** The tabs of the side panel. */
export type PanelTab = 'task' | 'skills' | 'actions' | 'scene' | 'state' | 'cameras';

/** Overlays drawn over the world for people. Robot cameras never see them. */
export interface OverlaySwitches {
  /** The planned path with its goal. */
  path: boolean;
  /** The reach of the hands. */
  reach: boolean;
  /** The view of the head camera. */
  frustum: boolean;
  /** Names of the entities. */
  labels: boolean;
}

/** Cost limit of the page's picture: automatic, or as chosen. */
export type QualityChoice = 'auto' | 'high' | 'medium' | 'low';

/** A person's choices on this page; none of them concerns the robot. */
export interface UiState {
  view: ViewKind;
  /** How often a view was chosen. Choosing the current view again resets it. */
  viewChoices: number;
  /** Whether the view follows the robot. */
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
  /** Whether a card as wide as the side panel is in its place. */
  cardBeside: boolean;
  camerasOpen: boolean;
  /** Whether keys, sticks and gamepads move the robot. */
  driving: boolean;
  /** The speed at full deflection while driving: a share of the robot's limits, in (0, 1]. */
  driveSpeed: number;
  /** Whether the picture of the world is on the screen. */
  worldDrawn: boolean;
}

/** Returns the state change for a person's choice of a view, for `setState`. */
export const choosingView =
  (view: ViewKind) =>
  ({ viewChoices }: UiState): Pick<UiState, 'view' | 'viewChoices'> => ({ view, viewChoices: viewChoices + 1 });

export type UiStore = StoreApi<UiState>;

/** Creates the store. @param start differences from a newly opened page */
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
    cardBeside: false,
    camerasOpen: true,
    driving: false,
    driveSpeed: 0.5,
    worldDrawn: false,
    ...start,
  }));

const UiContext = createContext<UiStore | null>(null);

export const UiProvider = UiContext.Provider;

/** Returns the page's choices, for changes. @throws outside of `UiProvider` */
export function useUiStore(): UiStore {
  const store = useContext(UiContext);
  if (!store) throw new Error('A component of the interface stands outside of UiProvider');
  return store;
}

/** Subscribes to a part of the page's choices. */
export function useUi<T>(select: (state: UiState) => T): T {
  return useStore(useUiStore(), select);
}
