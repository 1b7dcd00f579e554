import { JOINT_INDEX } from '../../src/protocol/robots/humanoid.ts';
import type { TestRuntime } from '../runtime/test-runtime.ts';

/**
 * Counts from the bodies how often something was done: every drive turns at a rate and every head action ends at an angle that no
 * other has.
 */

/** This many steps at one rate, or at one angle, are an execution. */
const LASTS_STEPS = 8;
const SAME_RPS = 0.008;
const SAME_RAD = 0.004;

export interface Counter {
  /** Call it after every step. */
  look(t: TestRuntime): void;
  turns(rateRps: number): number;
  nods(yawRad: number): number;
  /** Another body, at rest: everything under way is over. */
  restart(): void;
}

export function createCounter(): Counter {
  const turns = createPlateaus(SAME_RPS);
  const nods = createPlateaus(SAME_RAD);
  return {
    look({ core: { world } }) {
      turns.look(world.base.rigidBody.angvel().z);
      nods.look(world.body.jointPositions[JOINT_INDEX.headYaw] ?? 0);
    },
    turns: turns.count,
    nods: nods.count,
    restart() {
      turns.restart();
      nods.restart();
    },
  };
}

/** Stretches of nearly equal values, each counted once however long it lasts and however slowly it was approached. */
function createPlateaus(same: number) {
  const found: number[] = [];
  let anchor = Number.NaN;
  let lasted = 0;
  let on: number | null = null;
  return {
    look(value: number) {
      if (on !== null && Math.abs(value - on) > 4 * same) on = null;
      if (Math.abs(value - anchor) <= same) lasted += 1;
      else {
        anchor = value;
        lasted = 1;
      }
      if (lasted < LASTS_STEPS || on !== null) return;
      on = value;
      found.push(value);
    },
    count: (value: number) => found.filter((one) => Math.abs(one - value) <= 2 * same).length,
    restart() {
      anchor = Number.NaN;
      lasted = 0;
      on = null;
    },
  };
}
