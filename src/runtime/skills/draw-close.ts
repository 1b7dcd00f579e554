import type { Vec3 } from '../../protocol/wire/geometry.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { isBulkyNear } from './hand-room.ts';
import { openM } from './hands.ts';
import { aheadOf } from './posture.ts';
import { handsFit, type Stance } from './stances.ts';

/**
 * Returns whether empty hands may be drawn close to the body from a stance, and hang beside it, without touching a thing. Always
 * true if nothing bulky is near the point that they leave or approach, because the arms swing then.
 * @param point where the hands work, world frame
 */
export function mayDrawClose(world: SimWorld, { pose, way }: Stance, point: Vec3): boolean {
  if (!isBulkyNear(world, point)) return true;
  const { closeIn, hang } = world.robot.gripper;
  const isFree = ({ aheadM, heightM }: { aheadM: number; heightM: number }, apartM: number): boolean =>
    handsFit(world, aheadOf(pose, aheadM, heightM), pose.yawRad, apartM);
  return closeIn.every((place) => isFree(place, openM(world, way))) && (hang === null || isFree(hang, hang.openingM));
}
