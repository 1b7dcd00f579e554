import type { ActionView } from '../../engine/types.ts';

/**
 * Returns whether an agent is taking pictures, or did recently. One worker draws for agents and for the page's small pictures,
 * and the agent's have priority.
 * @param actions newest first
 * @param nowMs milliseconds since the epoch
 */
export function isPictureWork(actions: readonly ActionView[], nowMs: number, whileMs: number): boolean {
  return actions.some(
    ({ kind, finishedAtMs }) => kind === 'capture' && (finishedAtMs === null || finishedAtMs > nowMs - whileMs),
  );
}
