import type { HandMark } from '../../../protocol/wire/caller.ts';

/**
 * Returns the mark of a manual command from this page; null for any other caller. @param caller of an action, or from an error of
 * the runtime
 */
export function ownHand(caller: unknown): HandMark | null {
  const { kind, hand } = (caller ?? {}) as { kind?: unknown; hand?: HandMark };
  return kind === 'page' && hand ? hand : null;
}
