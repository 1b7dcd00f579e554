import { STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import type { RuntimeCore } from '../runtime/core.ts';

/** The world runs on for so long after an action, so that what it moved comes to rest and is judged. */
const RUNS_ON_STEPS = STEPS_PER_SECOND;

/** Time of the kind `on_action`: the world moves only while an action runs, and for a moment after it. */
export interface ActionPace {
  /** Returns, before a step that is due, whether the world pauses instead. */
  stands(): boolean;
}

/** Decides, step by step, when a run may pause because nothing acts. */
export function createActionPace(core: RuntimeCore): ActionPace {
  let leftSteps = RUNS_ON_STEPS;
  return {
    stands() {
      const isActing = [...core.ledger.active.values()].some(({ kind }) => kind === 'tool');
      // A press of the emergency stop waits for the standstill, and a picture for its camera.
      const isAwaited = core.emergency.waiting.length > 0 || core.awaitingCameras.length > 0;
      leftSteps = isActing || isAwaited ? RUNS_ON_STEPS : leftSteps - 1;
      return leftSteps < 0;
    },
  };
}
