import * as portable from '../../common/portable-math.ts';
import { contacts } from '../base.ts';
import type { BodyVelocity, SimWorld } from '../sim-world.ts';

const RETREAT_MPS = 0.25;
/** Contacts whose directions cancel to less than this leave no way out. */
const OPEN_SIDE = 0.2;

/**
 * The velocity that takes the base away from everything it touches, base frame; null when it touches nothing or is held
 * from opposite sides.
 */
export function retreatVelocity(world: SimWorld): BodyVelocity | null {
  let [awayX, awayY] = [0, 0];
  for (const { directionX, directionY } of contacts(world)) {
    awayX -= directionX;
    awayY -= directionY;
  }
  const length = portable.hypot(awayX, awayY);
  if (length < OPEN_SIDE) return null;
  const { yawRad } = world.base.pose;
  const [cos, sin] = [portable.cos(yawRad), portable.sin(yawRad)];
  const scale = RETREAT_MPS / length;
  return { vx: (awayX * cos + awayY * sin) * scale, vy: (-awayX * sin + awayY * cos) * scale, wz: 0 };
}
