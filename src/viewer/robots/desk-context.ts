import { createContext, useContext, useSyncExternalStore } from 'react';
import type { AccountService } from './account-service.ts';
import type { DeskState, RobotsDesk } from './robots-desk.ts';

const DeskContext = createContext<RobotsDesk | null>(null);

export const DeskProvider = DeskContext.Provider;

/** The desk that the page stands around. */
export function useDesk(): RobotsDesk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('This part stands in no DeskProvider.');
  return desk;
}

export function useDeskState(): DeskState {
  const desk = useDesk();
  return useSyncExternalStore(desk.subscribe, desk.read, desk.read);
}

/** The service under the key that is held. Parts that use it are drawn only while there is one. */
export function useAccount(): AccountService {
  const { account } = useDesk();
  if (account === null) throw new Error('No API key is held.');
  return account;
}
