import * as portable from '../../common/portable-math.ts';
import * as base from '../../simulation/base.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';

/** Lag behind the reference velocity from which a base counts as held back; a free base keeps exactly to it. */
const LAG_MPS = 0.01;

/**
 * Returns the obstacle or thing that holds the base back, or null. Asks physics for contacts only when the base lags: that costs
 * more than one of our steps.
 */
export function holdingBack(world: SimWorld): string | null {
  const { reference, velocity } = world.base;
  const lagMps = portable.hypot(reference.vx - velocity.vx, reference.vy - velocity.vy);
  return lagMps < LAG_MPS ? null : base.blocker(world);
}
