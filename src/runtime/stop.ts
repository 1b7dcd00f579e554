import { STEPS_PER_SECOND, STOP_WITHIN_S } from '../protocol/limits.ts';
import type { BodyPart } from '../protocol/skills.ts';
import * as base from '../simulation/base.ts';
import * as head from '../simulation/body/head.ts';
import * as manipulator from '../simulation/body/manipulator.ts';
import type { StillMoving } from './action-entry.ts';
import type { RuntimeCore } from './core.ts';

/** Slower than this the head counts as still, rad per step. */
const HEAD_STILL_RAD = 0.05 / STEPS_PER_SECOND;

/**
 * Brings the claimed parts of the body to rest (promise P7): zero command to the base, arms braked, head held where it is.
 * Ends when all of them are still, or after 0.5 s of simulated time with the names of the parts that still move.
 * @param claims read at every step: a part taken over by a later action is that action's to move.
 */
export function* bringToRest(core: RuntimeCore, claims: () => readonly BodyPart[]): Generator<void, StillMoving, void> {
  const { world } = core;
  const parts = claims();
  if (parts.includes('base')) base.setCommand(world, { vx: 0, vy: 0, wz: 0 });
  if (parts.includes('arms')) manipulator.halt(world.body);
  if (parts.includes('head')) head.setTarget(world.body, { ...head.measured(world.body) });
  let before = { ...head.measured(world.body) };
  let headStill = !parts.includes('head');
  for (let step = 0; ; step += 1) {
    const moving = claims().filter((part) => {
      if (part === 'base') return !base.isStopped(world);
      if (part === 'arms') return manipulator.isMoving(world.body);
      return part === 'head' && !headStill;
    });
    if (moving.length === 0 || step >= STOP_WITHIN_S * STEPS_PER_SECOND) return moving;
    yield;
    const now = { ...head.measured(world.body) };
    headStill =
      Math.abs(now.yawRad - before.yawRad) < HEAD_STILL_RAD && Math.abs(now.pitchRad - before.pitchRad) < HEAD_STILL_RAD;
    before = now;
  }
}
