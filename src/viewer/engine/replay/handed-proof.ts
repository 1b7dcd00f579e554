import type { KeptItems } from '../browser-storage.ts';

/** The storage item in which another page of this tab leaves a proof that was dropped on it. */
const PLACE = 'simplesim.replay';

/** Leaves a proof for the replay page. @returns whether the browser had room for it */
export const handProof = (items: KeptItems, name: string, text: string): boolean =>
  items.set(PLACE, JSON.stringify({ name, text }));

/** Takes the proof that was left, once. */
export function takeHandedProof(items: KeptItems): { name: string; text: string } | null {
  try {
    const left = items.get(PLACE);
    items.set(PLACE, null);
    if (left === null) return null;
    const { name, text } = JSON.parse(left) as { name?: unknown; text?: unknown };
    return typeof name === 'string' && typeof text === 'string' ? { name, text } : null;
  } catch {
    return null;
  }
}

/** Removes a proof that was left, after another tab has copied it. */
export const forgetHanded = (items: KeptItems): void => void items.set(PLACE, null);
