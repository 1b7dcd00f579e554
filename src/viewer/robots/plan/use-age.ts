import { useSyncExternalStore } from 'react';
import { type SeenPlace, seenAgeMs } from '../seen-places.ts';

const EVERY_MS = 1_000;
const listeners = new Set<() => void>();
let timer: number | null = null;

/** Subscribes to a timer that all cards share. It runs only while a card shows an age. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    timer = window.setInterval(report, EVERY_MS);
    // A hidden page has slow timers; when it becomes visible, it shows the current age at once.
    document.addEventListener('visibilitychange', report);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    window.clearInterval(timer);
    document.removeEventListener('visibilitychange', report);
    timer = null;
  };
}

const report = (): void => {
  for (const listener of listeners) listener();
};

/** Returns the current age of a place in milliseconds, rounded to whole seconds; it advances while the page is open. */
export const useAgeMs = (seen: SeenPlace): number =>
  useSyncExternalStore(
    subscribe,
    () => Math.floor(seenAgeMs(seen, { nowMs: performance.now(), wallMs: Date.now() }) / 1_000) * 1_000,
  );
