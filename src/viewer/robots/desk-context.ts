import { createContext, useContext, useSyncExternalStore } from 'react';
import type { AccountService } from './account-service.ts';
import type { DeskState, RobotsDesk } from './robots-desk.ts';

const DeskContext = createContext<RobotsDesk | null>(null);

export const DeskProvider = DeskContext.Provider;

/** Returns the robots store that surrounds the page. */
export function useDesk(): RobotsDesk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('This part stands in no DeskProvider.');
  return desk;
}

export function useDeskState(): DeskState {
  const desk = useDesk();
  return useSyncExternalStore(desk.subscribe, desk.read, desk.read);
}

/** Returns the service with the current key. Components that use it are rendered only while there is one. */
export function useAccount(): AccountService {
  const { account } = useDesk();
  if (account === null) throw new Error('No API key is held.');
  return account;
}
