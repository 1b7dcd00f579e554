import { GRAVITY_MPS2 } from './gravity.ts';
import { rotate } from './quaternion.ts';
import type { SimWorld } from './sim-world.ts';
import type { Thing } from './thing.ts';

/**
 * Of a hard thing on a smooth floor: a can that is struck to 0.5 m/s rolls 0.6 m. The engine knows no rolling resistance, and its contacts, which
 * turn with the body by up to a degree before they are found anew, even push what rolls slowly.
 */
const ROLLING_RESISTANCE = 0.03;

const AXIS = { x: 0, y: 0, z: 1 };

/**
 * Slows, before a step, the turning of each cylinder about its own axis where it lies on something: the torque `c·m·g·r` of rolling
 * resistance over the moment of inertia `m·r²/2`.
 */
export function resistRolling({ cubes, physics }: SimWorld, dtS: number): void {
  for (const thing of cubes.all) {
    const { shape, rigidBody, carrier } = thing;
    if (shape.kind !== 'cylinder' || carrier === 'hands' || rigidBody.isSleeping() || !isTouched(physics, thing)) continue;
    const mostRps = (2 * ROLLING_RESISTANCE * GRAVITY_MPS2 * dtS) / shape.radiusM;
    const axis = rotate(rigidBody.rotation(), AXIS);
    const turning = rigidBody.angvel();
    const rollingRps = turning.x * axis.x + turning.y * axis.y + turning.z * axis.z;
    const lessRps = Math.max(-mostRps, Math.min(mostRps, rollingRps));
    rigidBody.setAngvel(
      { x: turning.x - lessRps * axis.x, y: turning.y - lessRps * axis.y, z: turning.z - lessRps * axis.z },
      false,
    );
  }
}

/** Tells whether anything touches the thing. */
function isTouched(physics: SimWorld['physics'], { colliders }: Thing): boolean {
  let touched = false;
  for (const collider of colliders)
    physics.contactPairsWith(collider, (other) => {
      if (touched) return;
      physics.contactPair(collider, other, (manifold) => {
        touched ||= manifold.numContacts() > 0;
      });
    });
  return touched;
}
