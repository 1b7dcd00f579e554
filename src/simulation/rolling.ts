import * as portable from '../common/portable-math.ts';
import { GRAVITY_MPS2 } from './gravity.ts';
import { rotate } from './quaternion.ts';
import type { SimWorld } from './sim-world.ts';
import type { Thing } from './thing.ts';

/**
 * The coefficient of rolling resistance of a hard thing on a smooth floor: a can that is struck to 0.5 m/s rolls 0.6 m. The engine knows no
 * rolling resistance, and its contacts, which turn with the body by up to a degree before they are found again, even push what rolls slowly.
 */
const ROLLING_RESISTANCE = 0.03;

/**
 * A motion that resistance can stop is not only stopped but reversed by half as much: the push of the turned contacts comes within the step, and what
 * stood still before it would creep for ever.
 */
const STOPPED_BY = 1.5;
/** A cylinder whose axis rises by less than this rolls on its side. */
const LEVEL = 0.2;
/** A rolling thing moves as fast as its surface, within this share. */
const ROLLS_WITHIN = 0.5;
const STANDS_MPS = 1e-4;

const AXIS = { x: 0, y: 0, z: 1 };

/**
 * Slows, before a step, each cylinder that lies on something: the torque `c·m·g·r` of rolling resistance over the moment of inertia, `m·r²/2`
 * for the turning alone. Where it rolls, a third of that comes off its turning and its motion alike, as friction would share it out in the step.
 */
export function resistRolling({ things, physics }: SimWorld, dtS: number): void {
  for (const thing of things.all) {
    const { shape, rigidBody, carrier } = thing;
    if (shape.kind !== 'cylinder' || carrier === 'hands' || rigidBody.isSleeping() || !isTouched(physics, thing)) continue;
    const mostRps = (2 * ROLLING_RESISTANCE * GRAVITY_MPS2 * dtS) / shape.radiusM;
    const axis = rotate(rigidBody.rotation(), AXIS);
    const [turning, moving] = [rigidBody.angvel(), rigidBody.linvel()];
    const turningRps = turning.x * axis.x + turning.y * axis.y + turning.z * axis.z;
    // Along the floor and across the axis, where a turn about the axis rolls it to.
    const levelM = portable.hypot(axis.x, axis.y);
    const [aheadX, aheadY] = [axis.y / levelM, -axis.x / levelM];
    const rollingRps = (moving.x * aheadX + moving.y * aheadY) / shape.radiusM;
    const slackRps = ROLLS_WITHIN * Math.abs(turningRps) + STANDS_MPS / shape.radiusM;
    const rolls = Math.abs(axis.z) < LEVEL && Math.abs(rollingRps - turningRps) < slackRps;
    const lessRps = rolls ? within(STOPPED_BY * turningRps, mostRps / 3) : within(turningRps, mostRps);
    rigidBody.setAngvel(
      { x: turning.x - lessRps * axis.x, y: turning.y - lessRps * axis.y, z: turning.z - lessRps * axis.z },
      false,
    );
    if (!rolls) continue;
    const lessMps = lessRps * shape.radiusM;
    rigidBody.setLinvel({ x: moving.x - lessMps * aheadX, y: moving.y - lessMps * aheadY, z: moving.z }, false);
  }
}

const within = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

/** Returns whether anything touches the thing. */
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
