import { ACTIONS_SHOWN_MAX } from '../store.ts';
import type { ActionView } from '../types.ts';
import type { FilmedAction } from './replay-messages.ts';

/** Returns the actions at a step of the run, newest first: those that had begun, and as running those that had not ended. */
export const actionsAt = (actions: readonly FilmedAction[], step: number): ActionView[] =>
  actions
    .filter(({ fromStep }) => fromStep <= step)
    .slice(-ACTIONS_SHOWN_MAX)
    .map(({ record, toStep }) => (toStep !== null && toStep <= step ? record : running(record)))
    .reverse();

const running = (record: ActionView): ActionView => ({
  ...record,
  status: 'running',
  phase: 'running',
  finishedAtMs: null,
  progress: null,
  result: null,
});
