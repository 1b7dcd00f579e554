import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Engine, ViewerState } from '../../engine/types.ts';

const EngineContext = createContext<Engine | null>(null);

export const EngineProvider = EngineContext.Provider;

/** Returns the engine of this page. @throws outside of `EngineProvider` */
export function useEngine(): Engine {
  const engine = useContext(EngineContext);
  if (!engine) throw new Error('A component of the interface stands outside of EngineProvider');
  return engine;
}

/** Subscribes to a part of the engine's state. The selector must return the same object while nothing has changed. */
export function useViewer<T>(select: (state: ViewerState) => T): T {
  return useStore(useEngine().store, select);
}
