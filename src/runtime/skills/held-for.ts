import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import { floorExtents, halfHeightM } from '../../simulation/extents.ts';
import { heldRoom, heldWidthM } from '../../simulation/hold.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { type GripWay, waysOfCube } from './grips.ts';

/** The held thing, as one who looks for a place for it needs it. Metres. */
export interface HeldFor {
  entityId: string;
  /** How the hands have it; its heading is that of the hands now. */
  way: GripWay;
  halfHeightM: number;
  /** Half of its lengths along and across the hands, and the larger of both: the room that it takes up, turned by any quarter. */
  alongHalfM: number;
  acrossHalfM: number;
  floorHalfM: number;
}

/** Returns the measures of the thing in the hands. @throws RangeError when another thing, or none, is held */
export function heldFor({ grasp: { hold } }: SimWorld, entityId: string): HeldFor {
  if (hold?.thing.entityId !== entityId) throw new RangeError(`${entityId} is not in the hands.`);
  const { thing, anchor, target } = hold;
  const half = CUBE_EDGE_M / 2;
  const [cubeWay] = waysOfCube([target.yawRad]);
  if (thing.isCube && cubeWay)
    return { entityId, way: cubeWay, halfHeightM: half, alongHalfM: half, acrossHalfM: half, floorHalfM: half };
  const room = heldRoom(hold);
  const widthM = heldWidthM(thing, target.yawRad);
  const alongHalfM = (room.frontM + room.backM) / 2;
  const upM = halfHeightM(thing, thing.rotation);
  // Turned along the hands it takes up its own lengths, however the hands are turned in the world.
  const straight = Math.max(alongHalfM, widthM / 2);
  const [extentX, extentY] = floorExtents(thing, thing.rotation);
  return {
    entityId,
    way: { yawRad: target.yawRad, widthM, raiseM: -anchor.z, topM: upM + anchor.z, isCube: false },
    halfHeightM: upM,
    alongHalfM,
    acrossHalfM: widthM / 2,
    floorHalfM: Math.min(straight, Math.max(extentX, extentY)),
  };
}
