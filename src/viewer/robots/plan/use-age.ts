import { useSyncExternalStore } from 'react';
import { type SeenPlace, seenAgeMs } from '../seen-places.ts';

const EVERY_MS = 1_000;
const listeners = new Set<() => void>();
let timer: number | null = null;

/** One timer for all cards, and none while no card has an age. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    for (const each of listeners) each();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    window.clearInterval(timer);
    timer = null;
  };
}

/** How old a place is just now, in milliseconds to whole seconds; it goes on while the page is open. */
export const useAgeMs = (seen: SeenPlace): number =>
  useSyncExternalStore(
    subscribe,
    () => Math.floor(seenAgeMs(seen, { nowMs: performance.now(), wallMs: Date.now() }) / 1_000) * 1_000,
  );
