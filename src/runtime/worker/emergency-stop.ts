import type { RuntimeError } from '../../protocol/error-codes.ts';
import * as texts from '../../protocol/worker-texts.ts';
import * as base from '../../simulation/base.ts';
import * as joints from '../../simulation/body/joint-arms.ts';
import * as actions from '../actions.ts';
import type { RuntimeCore } from '../core.ts';
import { goLimp } from './upper-body.ts';

/**
 * The emergency stop: the base brakes, the arms go limp, and no command is taken until it is released. It is a button at the robot, not
 * a skill: nobody needs a signature for it, and no packet undoes it.
 */
export function latch(core: RuntimeCore, by: string): void {
  core.bodyLink.emergencyStopBy ??= by;
  base.setCommand(core.world, { vx: 0, vy: 0, wz: 0 });
  const error = texts.emergencyStopped(by);
  goLimp(core, error);
  for (const entry of [...core.ledger.active.values()]) if (entry.kind === 'tool') actions.requestStop(core, entry, error);
}

/** Commands are taken again; locomotion has the arms. */
export function release(core: RuntimeCore): void {
  if (core.bodyLink.emergencyStopBy === null) return;
  core.bodyLink.emergencyStopBy = null;
  joints.giveBack(core.world.body);
}

/** After a freeze nobody knows what the robot was told meanwhile: it stands, its arms are limp, and whoever moves it says so anew. */
export function standStill(core: RuntimeCore, error: RuntimeError): void {
  core.bodyLink.resumedAtMs = core.nowMs;
  base.setCommand(core.world, { vx: 0, vy: 0, wz: 0 });
  if (core.upperBody.session !== null) goLimp(core, error);
}
