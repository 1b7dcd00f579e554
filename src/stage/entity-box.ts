import { degToRad, type Quat, quatToYaw, type Vec3, yawToQuat } from '../protocol/wire/geometry.ts';
import type { ScenePlace } from '../protocol/wire/place.ts';
import type { RenderState } from '../protocol/wire/render-state.ts';
import { robotModel } from '../protocol/wire/robots.ts';
import { ROBOT_ENTITY_ID } from '../protocol/wire/scene.ts';
import { CUBE_SHAPE, sizeOf } from '../protocol/wire/thing-shape.ts';

/** Place and size of a thing, world frame, metres: full extents along its own axes. */
export interface EntityBox {
  centre: Vec3;
  orientation: Quat;
  size: Vec3;
}

/** A pad that is only painted on the floor counts as this high, so that one can point at it. */
const PAINTED_PAD_M = 0.01;

/**
 * Returns the current box of an entity or an obstacle.
 * @returns null for an id that is not in the scene
 */
export function entityBox(id: string, state: RenderState | null, layout: ScenePlace): EntityBox | null {
  const thing = state?.things.find(({ entityId }) => entityId === id);
  if (thing) return { centre: thing.position, orientation: thing.orientation, size: sizeOf(thing.object?.shape ?? CUBE_SHAPE) };
  if (id === ROBOT_ENTITY_ID && state) {
    const [x, y] = state.rootPose.position;
    const { heightM, standingSizeM } = robotModel(layout.robot);
    return {
      centre: [x, y, heightM / 2],
      orientation: yawToQuat(quatToYaw(state.rootPose.orientation)),
      size: [...standingSizeM, heightM],
    };
  }
  const pad = layout.pads.find(({ pad_id }) => pad_id === id);
  if (pad) {
    const [x, y, topZ] = pad.position;
    // A pad's own box may be only a thin top. People count everything below it as the pad.
    const heightM = Math.max(topZ, PAINTED_PAD_M);
    return { centre: [x, y, heightM / 2], orientation: [0, 0, 0, 1], size: [pad.size[0], pad.size[1], heightM] };
  }
  const obstacle = layout.obstacles.find(({ obstacle_id }) => obstacle_id === id);
  if (!obstacle) return null;
  const { pose, size } = obstacle;
  return { centre: pose.position, orientation: yawToQuat(degToRad(pose.yaw_deg ?? 0)), size };
}
