import type { RuntimeError } from '../../../protocol/error-codes.ts';
import type { ActionView } from '../../engine/types.ts';

/**
 * The outcome of an action, as people see it. The wire calls all but the first four `failed`.
 * - `refused`: the robot refused before anything moved; programs call this way to find out, and continue
 * - `interrupted`: the page was reloaded or frozen while it ran
 */
export type Outcome = ActionView['status'] | 'refused' | 'interrupted';

/** An outcome as a word. */
export const OUTCOME_WORDS: Record<Outcome, string> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  refused: 'Refused',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
};

/** Returns the outcome of an action, or that it runs. */
export const outcomeOfAction = ({ status, result }: Pick<ActionView, 'status' | 'result'>): Outcome =>
  status === 'failed' && result?.error ? outcomeOfError(result.error) : status;

/** Returns the outcome of a call that ended with this error. Its data decide, never its sentence. */
export function outcomeOfError({ code, details }: RuntimeError): Exclude<Outcome, 'running' | 'done'> {
  if (code === 'CANCELLED') return 'cancelled';
  if (code === 'RUNTIME_SUSPENDED') return 'interrupted';
  // The robot had taken it on, and ran out of the time that it was given.
  if (code === 'DEADLINE_EXCEEDED') return 'failed';
  // A fault inside the runtime is no answer of the robot's, whether anything had begun or not.
  return details.attempted || details.stage === 'runtime' ? 'failed' : 'refused';
}
