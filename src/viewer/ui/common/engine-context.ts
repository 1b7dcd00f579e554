import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Engine, ViewerState } from '../../engine/types.ts';

const EngineContext = createContext<Engine | null>(null);

export const EngineProvider = EngineContext.Provider;

/** The engine of this page. @throws outside of `EngineProvider` */
export function useEngine(): Engine {
  const engine = useContext(EngineContext);
  if (!engine) throw new Error('A component of the interface stands outside of EngineProvider');
  return engine;
}

/** Follows a part of what the engine says. The selector must answer the same object while nothing changed. */
export function useViewer<T>(select: (state: ViewerState) => T): T {
  return useStore(useEngine().store, select);
}
