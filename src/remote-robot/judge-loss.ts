/**
 * A runtime's knowledge of an action whose call or reply got lost.
 * - `ended`: its result; `running`: it runs; `unheard`: the runtime does not know the action
 * - `mute`: the runtime keeps no record to ask for; `silent`: no answer now
 */
export type Known = 'ended' | 'running' | 'unheard' | 'mute' | 'silent';

/**
 * The next step after a loss: return the result, send the command again with the same `action_id`, ask the runtime again after a
 * pause, give up because the action may run and no answer can come, or report that a later command has overtaken it.
 */
export type AfterLoss = 'return' | 'send' | 'ask' | 'give-up' | 'overtaken';

/**
 * Decides the next step when a command got lost. A command that is sent again joins the running action (promise P5), so it runs
 * once.
 * @param known null before the runtime was asked
 * @param how `isOvertaken`: a robot that keeps each command until the next has got a later command that this one would undo.
 * `isHeldStop`: a stop of such a robot, which is harmless to repeat and must not wait
 */
export function judgeLoss(
  known: Known | null,
  { isOvertaken, isHeldStop }: { isOvertaken: boolean; isHeldStop: boolean },
): AfterLoss {
  switch (known) {
    case 'ended':
      return 'return';
    case 'unheard':
      return isOvertaken ? 'overtaken' : 'send';
    case 'running':
      return isOvertaken ? 'ask' : 'send';
    default:
      if (isHeldStop) return 'send';
      return known === 'mute' ? 'give-up' : 'ask';
  }
}
