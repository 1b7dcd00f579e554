import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type KeptItems, tabItems } from '../../engine/browser-storage.ts';
import type { Engine } from '../../engine/types.ts';
import { placeCameras } from '../common/place-cameras.ts';
import type { Callable } from './callables.ts';
import { standingCallables } from './callables.ts';
import type { Draft } from './form-model.ts';
import { loadHistory, saveHistory } from './history.ts';
import type { FieldRefusal } from './outcome.ts';
import type { Run } from './run.ts';

/** A person's input for one callable. */
export interface Sheet {
  mode: 'form' | 'json';
  draft: Draft;
  /** The JSON text as typed. It is kept, whatever the form does. */
  json: string;
  /** The side of the last change, which is the one that will be sent. */
  source: 'form' | 'json';
  options: Draft | null;
  /** Whether sending was tried since it was opened; if so, all problems are shown. */
  tried: boolean;
  /** The runtime's rejection, shown at its field; removed with the next change. */
  refused: FieldRefusal | null;
  /** The last call made with it, shown below. */
  runId: string | null;
}

export interface ConsoleState {
  callables: readonly Callable[];
  /** Whether the list of skills was read from this robot. */
  listed: boolean;
  listProblem: string | null;
  search: string;
  page: 'calls' | 'history';
  openId: string | null;
  /** The callable whose form was just left, to which the list returns the focus. */
  leftId: string | null;
  sheets: Readonly<Record<string, Sheet>>;
  /** Newest first. */
  runs: readonly Run[];
}

export type ConsoleStore = StoreApi<ConsoleState>;

export const RUNS_KEPT = 50;

/** Creates the store. @param items keep the calls over a reload */
export function createConsoleStore(items: KeptItems): ConsoleStore {
  const store = createStore<ConsoleState>(() => ({
    callables: standingCallables([]),
    listed: false,
    listProblem: null,
    search: '',
    page: 'calls',
    openId: null,
    leftId: null,
    sheets: {},
    runs: loadHistory(items),
  }));
  store.subscribe(({ runs }, before) => {
    if (runs !== before.runs) saveHistory(items, runs);
  });
  return store;
}

const stores = new WeakMap<Engine, ConsoleStore>();

/** Returns the console of an engine. It outlives the panel, which may be closed while something runs. */
export function consoleOf(engine: Engine): ConsoleStore {
  const known = stores.get(engine);
  if (known) return known;
  const made = createConsoleStore(tabItems);
  stores.set(engine, made);
  // The new scene may have other cameras.
  const adoptCameras = (): void => {
    const standing = standingCallables(placeCameras(engine.layout()));
    made.setState(({ callables }) => ({ callables: [...callables.filter(({ kind }) => kind === 'skill'), ...standing] }));
  };
  adoptCameras();
  engine.store.subscribe((state, before) => {
    if (state.layoutVersion !== before.layoutVersion) adoptCameras();
  });
  return made;
}

const ConsoleContext = createContext<ConsoleStore | null>(null);

export const ConsoleProvider = ConsoleContext.Provider;

/** Returns the console of this page, for changes. @throws outside of `ConsoleProvider` */
export function useConsoleStore(): ConsoleStore {
  const store = useContext(ConsoleContext);
  if (!store) throw new Error('A component of the console stands outside of ConsoleProvider');
  return store;
}

/** Subscribes to a part of the console. */
export function useConsole<T>(select: (state: ConsoleState) => T): T {
  return useStore(useConsoleStore(), select);
}

/** Changes one sheet. */
export function patchSheet(store: ConsoleStore, id: string, change: Partial<Sheet>): void {
  store.setState(({ sheets }) => {
    const sheet = sheets[id];
    return sheet ? { sheets: { ...sheets, [id]: { ...sheet, ...change } } } : {};
  });
}

/** Changes one run. */
export function patchRun(store: ConsoleStore, runId: string, change: Partial<Run>): void {
  store.setState(({ runs }) => ({ runs: runs.map((run) => (run.runId === runId ? { ...run, ...change } : run)) }));
}
