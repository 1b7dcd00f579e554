import { createStore } from 'zustand/vanilla';
import { DEFAULT_ROBOT_ID } from '../../protocol/wire/robot.ts';
import type { LoadingPart, LoadingPartId, ViewerState, ViewerStore } from './types.ts';

/** Number of actions that the page remembers. The runtime keeps its own ledger. */
export const ACTIONS_SHOWN_MAX = 300;

const LABELS: Record<LoadingPartId, string> = {
  physics: 'Physics',
  world: 'Scene and robot',
  cameras: 'Cameras',
  room: 'Room',
};

/** Returns the parts that must be ready, all at their start. */
export function initialLoading(): LoadingPart[] {
  return (Object.keys(LABELS) as LoadingPartId[]).map((id) => ({ id, label: LABELS[id], fraction: 0, done: false }));
}

/** Returns the initial state of a page: the gate. */
export function initialState(): ViewerState {
  return {
    phase: 'gate',
    gateProblem: null,
    robot: null,
    robotKind: DEFAULT_ROBOT_ID,
    local: false,
    visit: null,
    profile: 'simulator',
    offline: false,
    restartedAtMs: null,
    wentOn: null,
    keeping: 'no',
    stopIsKept: true,
    loading: initialLoading(),
    connection: { kind: 'idle' },
    participants: [],
    known: [],
    runtime: null,
    scene: null,
    actions: [],
    stepsPerSecond: 0,
    realTimeFactor: 1,
    statusText: '',
    task: null,
    repeatedCancels: null,
    layoutVersion: 0,
    fileRefusal: null,
  };
}

/** One store per engine. */
export function createViewerStore(): ViewerStore {
  return createStore<ViewerState>(() => initialState());
}
