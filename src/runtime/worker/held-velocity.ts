import type { Caller } from '../../protocol/caller.ts';
import type { BodyVelocity } from '../../simulation/base.ts';
import * as base from '../../simulation/base.ts';
import type { RuntimeCore } from '../core.ts';

/** When a held velocity ends, if its call had a deadline. */
export interface VelocityEnd {
  /** Milliseconds since the epoch. */
  atMs: number;
  actionId: string;
}

/** What the worker knows of the velocity that it holds; the velocity itself is the base's. */
export interface HeldVelocity {
  /** Null while nothing but another command ends it. */
  end: VelocityEnd | null;
  /** The end that came last, while nothing has been commanded since. */
  ended: VelocityEnd | null;
  /** Who stopped it without a call, while nothing has driven it since. */
  stopped: { by: Caller; atMs: number } | null;
}

export const createHeldVelocity = (): HeldVelocity => ({ end: null, ended: null, stopped: null });

const STILL: BodyVelocity = { vx: 0, vy: 0, wz: 0 };

/**
 * Commands a velocity that holds. One whose call had a deadline ends there: a deadline is the runtime's, and no motion outlives it
 * (promise P8), although the velocity itself knows no end.
 */
export function hold(core: RuntimeCore, velocity: BodyVelocity, end: VelocityEnd | null): void {
  base.setCommand(core.world, velocity);
  const drives = holds(core);
  core.heldVelocity = { end: drives ? end : null, ended: null, stopped: drives ? null : core.heldVelocity.stopped };
}

export const standstill = (core: RuntimeCore): void => hold(core, STILL, null);

/** Is a velocity commanded that nothing but another command, or its deadline, ends? */
export function holds({ world }: RuntimeCore): boolean {
  const { vx, vy, wz } = base.command(world);
  return vx !== 0 || vy !== 0 || wz !== 0;
}

/** Before each step: a velocity whose deadline has passed ends. */
export function expireVelocity(core: RuntimeCore): void {
  const { end } = core.heldVelocity;
  if (end === null || core.nowMs < end.atMs) return;
  // What was cancelled has been brought to rest already.
  const wasHeld = holds(core);
  standstill(core);
  if (wasHeld) core.heldVelocity.ended = end;
}
