import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Client } from '../../client/index.ts';
import type { RobotsState, RobotsStore } from './robots-store.ts';

const RobotsStoreContext = createContext<RobotsStore | null>(null);

export const RobotsStoreProvider = RobotsStoreContext.Provider;

/** Returns the robots store that surrounds the page. */
export function useRobotsStore(): RobotsStore {
  const store = useContext(RobotsStoreContext);
  if (store === null) throw new Error('This part stands in no DeskProvider.');
  return store;
}

export function useRobotsState(): RobotsState {
  const store = useRobotsStore();
  return useSyncExternalStore(store.subscribe, store.read, store.read);
}

/** Returns the client with the current key. Components that use it are rendered only while there is one. */
export function useAccount(): Client {
  const { account } = useRobotsStore();
  if (account === null) throw new Error('No API key is held.');
  return account;
}
