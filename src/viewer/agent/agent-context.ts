import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { AgentSeen } from './agent-stream.ts';

const Context = createContext<StoreApi<AgentSeen> | null>(null);
export const AgentProvider = Context.Provider;

/** Returns a part of what the page knows of the agent. @throws outside of its provider */
export function useAgent<T>(select: (seen: AgentSeen) => T): T {
  const store = useContext(Context);
  if (!store) throw new Error('The part needs an AgentProvider around it.');
  return useStore(store, select);
}
