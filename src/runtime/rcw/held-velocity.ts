import type { Caller } from '../../protocol/wire/caller.ts';
import * as base from '../../simulation/base.ts';
import type { BodyVelocity } from '../../simulation/sim-world.ts';
import type { RuntimeCore } from '../core.ts';

/** The end of a held velocity whose call had a deadline. */
export interface VelocityEnd {
  /** Milliseconds since the epoch. */
  atMs: number;
  actionId: string;
}

/** The call that commanded a velocity which holds. */
export interface VelocityCommand {
  actionId: string;
  name: string;
  caller: Caller;
}

/** The runtime's knowledge of the velocity that it holds; the velocity itself belongs to the base. */
export interface HeldVelocity {
  /** Null while no velocity holds. */
  command: VelocityCommand | null;
  /** Null when only another command ends it. */
  end: VelocityEnd | null;
  /** The end that came last, as long as nothing has been commanded since. */
  ended: VelocityEnd | null;
  /** The caller that stopped it without a call, as long as nothing has driven it since. */
  stopped: { by: Caller; atMs: number } | null;
}

/** State with a velocity that may be held. */
interface VelocityHolder {
  heldVelocity: HeldVelocity;
}

/** Returns a robot to which no velocity is commanded. */
export const createHeldVelocity = (): HeldVelocity => ({ command: null, end: null, ended: null, stopped: null });

const STILL: BodyVelocity = { vx: 0, vy: 0, wz: 0 };

/**
 * Commands a velocity that holds. When its call had a deadline, it ends there: a deadline is the runtime's, and no motion
 * outlives it (promise P8), although the velocity itself has no end.
 */
export function hold(
  core: RuntimeCore,
  rcw: VelocityHolder,
  velocity: BodyVelocity,
  command: VelocityCommand | null,
  end: VelocityEnd | null,
): void {
  base.setCommand(core.world, velocity);
  const drives = holds(core);
  rcw.heldVelocity = {
    command: drives ? command : null,
    end: drives ? end : null,
    ended: null,
    stopped: drives ? null : rcw.heldVelocity.stopped,
  };
}

/** Commands a standstill that holds. */
export const standstill = (core: RuntimeCore, rcw: VelocityHolder): void => hold(core, rcw, STILL, null, null);

/** Ends a held velocity on behalf of a caller, without a call. */
export function standFor(core: RuntimeCore, rcw: VelocityHolder, by: Caller): void {
  if (!holds(core)) return;
  standstill(core, rcw);
  rcw.heldVelocity.stopped = { by, atMs: core.nowMs };
}

/** Returns whether a velocity is commanded that only another command or its deadline ends. */
export function holds({ world }: RuntimeCore): boolean {
  const { vx, vy, wz } = base.command(world);
  return vx !== 0 || vy !== 0 || wz !== 0;
}

/** Ends a velocity whose deadline has passed; called before each step. */
export function expireVelocity(core: RuntimeCore, rcw: VelocityHolder): void {
  const { end } = rcw.heldVelocity;
  if (end === null || core.nowMs < end.atMs) return;
  // A cancelled velocity has already been brought to rest.
  const wasHeld = holds(core);
  standstill(core, rcw);
  if (wasHeld) rcw.heldVelocity.ended = end;
}
