import { useEffect, useState, useSyncExternalStore } from 'react';

/** Returns whether a media query matches. False if there is no window. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}

export const PHONE_QUERY = '(max-width: 719px)';
export const usePhone = (): boolean => useMediaQuery(PHONE_QUERY);

/** A tablet or smaller: the robot, a panel and the manual controls do not fit beside each other. */
const TABLET_QUERY = '(max-width: 1199px)';
export const useTablet = (): boolean => useMediaQuery(TABLET_QUERY);
/** A tablet in landscape: a card fits beside the robot, but not below it. */
const ACROSS_QUERY = '(min-width: 720px) and (max-width: 1199px) and (orientation: landscape)';
export const useTabletAcross = (): boolean => useMediaQuery(ACROSS_QUERY);

/** Returns whether the page is visible. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed);
      return () => document.removeEventListener('visibilitychange', changed);
    },
    () => document.visibilityState === 'visible',
    () => true,
  );
}

/** Returns the time now, milliseconds since the epoch, updated every `everyMs` while the component is mounted. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
