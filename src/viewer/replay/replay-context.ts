import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { ReplayEngine, ReplayState } from '../engine/replay/replay-engine.ts';

const ReplayContext = createContext<ReplayEngine | null>(null);

export const ReplayProvider = ReplayContext.Provider;

/** Returns the engine of the replay page. @throws outside of `ReplayProvider` */
export function useReplayEngine(): ReplayEngine {
  const engine = useContext(ReplayContext);
  if (!engine) throw new Error('A component of the replay stands outside of ReplayProvider');
  return engine;
}

/** Subscribes to a part of the replay. The selector must return the same object while nothing changed. */
export function useReplay<T>(select: (state: ReplayState) => T): T {
  return useStore(useReplayEngine().replay, select);
}
