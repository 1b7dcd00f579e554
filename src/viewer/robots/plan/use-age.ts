import { useSyncExternalStore } from 'react';
import { type SeenPlace, seenAgeMs } from '../seen-places.ts';

const EVERY_MS = 1_000;
const listeners = new Set<() => void>();
let timer: number | null = null;

/** One timer for all cards, and none while no card has an age. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    timer = window.setInterval(tell, EVERY_MS);
    // A hidden page has slow timers; whoever comes back sees the age of now.
    document.addEventListener('visibilitychange', tell);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    window.clearInterval(timer);
    document.removeEventListener('visibilitychange', tell);
    timer = null;
  };
}

const tell = (): void => {
  for (const listener of listeners) listener();
};

/** How old a place is just now, in milliseconds to whole seconds; it goes on while the page is open. */
export const useAgeMs = (seen: SeenPlace): number =>
  useSyncExternalStore(
    subscribe,
    () => Math.floor(seenAgeMs(seen, { nowMs: performance.now(), wallMs: Date.now() }) / 1_000) * 1_000,
  );
