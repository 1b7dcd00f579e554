import type { RuntimeError } from '../../../protocol/wire/error-codes.ts';
import type { ActionView } from '../../engine/types.ts';

/**
 * The outcome of an action, as people see it. The wire format calls all but the first four `failed`.
 * - `refused`: the robot rejected the call before anything moved; programs probe this way and continue
 * - `interrupted`: the page was reloaded or frozen while it ran
 */
export type Outcome = ActionView['status'] | 'refused' | 'interrupted';

/** An outcome as a word. */
export const OUTCOME_TEXTS: Record<Outcome, string> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  refused: 'Refused',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
};

/** Returns the outcome of an action, or that it is running. */
export const outcomeOfAction = ({ status, result }: Pick<ActionView, 'status' | 'result'>): Outcome =>
  status === 'failed' && result?.error ? outcomeOfError(result.error) : status;

/** Returns the outcome of a call that ended with this error. Its data determine the outcome, never its sentence. */
export function outcomeOfError({ code, details }: RuntimeError): Exclude<Outcome, 'running' | 'done'> {
  if (code === 'CANCELLED') return 'cancelled';
  if (code === 'RUNTIME_SUSPENDED') return 'interrupted';
  // The robot had accepted the call, and exceeded its deadline.
  if (code === 'DEADLINE_EXCEEDED') return 'failed';
  // A fault inside the runtime is not a rejection by the robot, whether or not anything had begun.
  return details.attempted || details.stage === 'runtime' ? 'failed' : 'refused';
}
