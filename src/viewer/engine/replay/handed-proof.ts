/** Where another page of this tab leaves a proof that was dropped on it. */
const PLACE = 'simplesim.replay';
/** The address of the replay page, beside the others. */
export const REPLAY_PAGE = 'replay.html';

/** Tells whether a text is meant as a proof. Whether it is one, the replay page says. */
export const isMeantAsProof = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"simplesim\.proof\//.test(text);

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Leaves a proof for the replay page. @returns whether the browser had room for it */
export function handProof(store: Store, name: string, text: string): boolean {
  try {
    store.setItem(PLACE, JSON.stringify({ name, text }));
    return true;
  } catch {
    return false;
  }
}

/** Takes the proof that was left, once. */
export function takeHandedProof(store: Store): { name: string; text: string } | null {
  try {
    const left = store.getItem(PLACE);
    store.removeItem(PLACE);
    if (left === null) return null;
    const { name, text } = JSON.parse(left) as { name?: unknown; text?: unknown };
    return typeof name === 'string' && typeof text === 'string' ? { name, text } : null;
  } catch {
    return null;
  }
}

/** Forgets a proof that was left, once another tab has its copy. */
export const forgetHanded = (store: Store): void => store.removeItem(PLACE);
