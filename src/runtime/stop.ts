import { STEPS_PER_SECOND, STOP_WITHIN_S } from '../protocol/wire/limits.ts';
import type { BodyPart } from '../protocol/wire/skills.ts';
import * as base from '../simulation/base.ts';
import type { StillMoving } from './action-entry.ts';
import type { RuntimeCore } from './core.ts';

/** Below this speed the head counts as still, rad/s: below the threshold of P7 over the whole step. */
const HEAD_STILL_RPS = 0.04;

/**
 * Brings the claimed parts of the body to rest (promise P7): zero command to the base, arms braked, head held where it is.
 * Ends when all of them are still, or after 0.5 s of simulated time with the names of the parts that still move.
 * @param claims read at every step: a part taken over by a later action is that action's to move
 */
export function* bringToRest(core: RuntimeCore, claims: () => readonly BodyPart[]): Generator<void, StillMoving, void> {
  const { world } = core;
  const parts = claims();
  if (parts.includes('base')) base.setCommand(world, { vx: 0, vy: 0, wz: 0 });
  if (parts.includes('arms')) {
    world.robot.hands.halt(world.body);
    core.recovery = null;
  }
  const headToo = parts.includes('head') || (parts.includes('arms') && followsHands(core));
  if (headToo) {
    world.robot.head.halt(world.body);
    core.headStopped = !parts.includes('head');
  }
  for (let step = 0; ; step += 1) {
    const moving = movingNow(core, claims());
    if (headToo && world.robot.head.speedRps(world.body) >= HEAD_STILL_RPS && !headIsAnothers(core, claims()))
      moving.push('head');
    if (moving.length === 0 || step >= STOP_WITHIN_S * STEPS_PER_SECOND) return moving;
    yield;
  }
}

/** Returns which of these parts move at this moment, base and arms. */
export const movingNow = ({ world }: RuntimeCore, parts: readonly BodyPart[]): StillMoving =>
  parts.filter((part) => {
    if (part === 'base') return !base.isStopped(world);
    return part === 'arms' && world.robot.hands.isMoving(world.body);
  });

/**
 * Returns whether the head follows the hands: a head that no action turns looks where the hands work, and would continue after
 * they have stopped.
 */
const followsHands = (core: RuntimeCore): boolean => !core.world.robot.head.isHeld(core.world.body) && !headIsAnothers(core, []);

const headIsAnothers = ({ ledger }: RuntimeCore, mine: readonly BodyPart[]): boolean =>
  !mine.includes('head') &&
  [...ledger.active.values()].some(({ claims, stage }) => stage.kind === 'running' && claims.includes('head'));

/** Frees the head that a stop held because of the hands; called when an action that moves arms or head reaches its first step. */
export function freeHead(core: RuntimeCore, claims: readonly BodyPart[]): void {
  if (!core.headStopped || !(claims.includes('arms') || claims.includes('head'))) return;
  core.headStopped = false;
  // A head action sets a target itself, and keeps the axis that it does not name.
  if (!claims.includes('head')) core.world.robot.head.releaseTarget(core.world.body);
}
