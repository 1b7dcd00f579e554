import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import type { RuntimeCore } from '../core.ts';
import { standstill } from './held-velocity.ts';
import type { RcwState } from './rcw-state.ts';
import { goLimp } from './upper-body.ts';

/** The body's part of an emergency stop: the base brakes and the arms go limp. No packet undoes it. */
export function brakeAndGoLimp(core: RuntimeCore, rcw: RcwState, error: RuntimeError): void {
  standstill(core, rcw);
  goLimp(core, rcw, error);
}

/**
 * Brings the robot to a stand after a freeze, because commands of the meantime are unknown. It stands, its arms are limp, and
 * callers must command motion again.
 */
export function standStill(core: RuntimeCore, rcw: RcwState, error: RuntimeError): void {
  rcw.bodyLink.resumedAtMs = core.nowMs;
  standstill(core, rcw);
  if (rcw.upperBody.session !== null) goLimp(core, rcw, error);
}
