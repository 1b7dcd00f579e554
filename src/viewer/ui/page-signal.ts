import type { EndReason, Engine, ViewerState } from '../engine/types.ts';

/**
 * The state that a page reports to programs that observe it, such as page tests. `waiting`: for something outside this page,
 * after which it continues automatically: another page that is the robot, an absent robot, or a room out of reach.
 */
export type PageSignal = 'gate' | 'loading' | 'waiting' | 'live' | 'ended';

/** The event of the document, which bubbles to the window. Its detail is `{ state }`, the new signal. */
const SIGNAL_EVENT = 'simplesim:state';

/** Returns the signal of a page in this state. */
export function signalOf({ phase, visit, local, connection }: ViewerState): PageSignal {
  if (connection.kind === 'ended' && HELD.has(connection.reason)) return 'waiting';
  if (phase !== 'live') return phase;
  const isReached = local || connection.kind === 'connected';
  const isSeen = visit === null || visit.freshness === 'live' || visit.freshness === 'old';
  return isReached && isSeen ? 'live' : 'waiting';
}

/** Ends after which the page asks for the robot until it is free. */
const HELD: ReadonlySet<EndReason> = new Set<EndReason>(['held_elsewhere', 'held_by_another']);

/** Keeps the attribute `data-simplesim` of the document element equal to the signal of an engine, and dispatches each change. */
export function signalState(page: Document, { store }: Pick<Engine, 'store'>): void {
  const show = (state: ViewerState): void => {
    const signal = signalOf(state);
    const { dataset } = page.documentElement;
    if (dataset.simplesim === signal) return;
    dataset.simplesim = signal;
    page.dispatchEvent(new CustomEvent(SIGNAL_EVENT, { bubbles: true, detail: { state: signal } }));
  };
  show(store.getState());
  store.subscribe(show);
}
