import type { Caller } from '../../protocol/caller.ts';
import type { RuntimeError } from '../../protocol/error-codes.ts';
import * as texts from '../../protocol/rcw-texts.ts';
import * as actions from '../actions.ts';
import { onWall, type RuntimeCore } from '../core.ts';
import { standstill } from './held-velocity.ts';
import type { RcwState } from './rcw-state.ts';
import { goLimp } from './upper-body.ts';

/**
 * Latches the emergency stop: the base brakes, the arms go limp, and no command is taken until it is released. It is a button at
 * the robot, not a skill: nobody needs a signature for it, and no packet undoes it.
 */
export function latch(core: RuntimeCore, rcw: RcwState, by: Caller): void {
  rcw.bodyLink.emergencyStop ??= { by, sinceMs: onWall(core, core.nowMs) };
  standstill(core, rcw);
  const error = texts.emergencyStopped(rcw.bodyLink.emergencyStop);
  goLimp(core, rcw, error);
  for (const entry of [...core.ledger.active.values()]) if (entry.kind === 'tool') actions.requestStop(core, entry, error);
}

/** Releases the emergency stop. Commands are taken again, and nothing moves by that alone: the arms hang until a command moves them. */
export function release(rcw: RcwState): void {
  rcw.bodyLink.emergencyStop = null;
}

/** Brings the robot to a stand after a freeze, because nobody knows what it was told in the meantime: it stands, its arms are limp, and callers must command motion anew. */
export function standStill(core: RuntimeCore, rcw: RcwState, error: RuntimeError): void {
  rcw.bodyLink.resumedAtMs = core.nowMs;
  standstill(core, rcw);
  if (rcw.upperBody.session !== null) goLimp(core, rcw, error);
}
