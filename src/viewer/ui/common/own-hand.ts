import type { HandMark } from '../../../protocol/caller.ts';

/** What a person's hand at this page did with a command; null for whatever came otherwise. @param caller of an action, or as an error of the runtime tells it */
export function ownHand(caller: unknown): HandMark | null {
  const { kind, hand } = (caller ?? {}) as { kind?: unknown; hand?: HandMark };
  return kind === 'page' && hand ? hand : null;
}
