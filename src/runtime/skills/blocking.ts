import * as portable from '../../protocol/portable-math.ts';
import * as base from '../../simulation/base.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';

/** A free base keeps exactly to its reference velocity; one that lags by more than this is held back. */
const LAG_MPS = 0.01;

/** Returns the obstacle or thing that holds the base back, or null. Asks physics for contacts only when the base lags: that costs more than one of our steps. */
export function holdingBack(world: SimWorld): string | null {
  const { reference, velocity } = world.base;
  const lagMps = portable.hypot(reference.vx - velocity.vx, reference.vy - velocity.vy);
  return lagMps < LAG_MPS ? null : base.blocker(world);
}
