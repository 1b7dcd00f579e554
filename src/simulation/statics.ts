import type RAPIER from '@dimforge/rapier3d-compat';
import { yawToQuat } from '../protocol/wire/geometry.ts';
import * as groups from './collision-groups.ts';
import { standing } from './fixtures.ts';
import type { SceneDefinition } from './scene-definition.ts';
import { type Turn, turnedOn, turnOf } from './turned-box.ts';

const FLOOR_THICKNESS_M = 0.5;
const STATIC_FRICTION = 0.7;

/**
 * Puts everything that never moves into the physics world: the floor and the layout's obstacles.
 * @returns which obstacle a collider stands for, by collider handle.
 */
export function addStatics(rapier: typeof RAPIER, physics: RAPIER.World, scene: SceneDefinition): Map<number, string> {
  const obstacleIds = new Map<number, string>();
  const add = (
    centre: readonly number[],
    size: readonly number[],
    collisionGroups: number,
    turn: Turn | null,
  ): RAPIER.Collider => {
    const [straightX = 0, straightY = 0, z = 0] = centre;
    const [sizeX = 0, sizeY = 0, sizeZ = 0] = size;
    const { x, y } = turnedOn(turn, { x: straightX, y: straightY });
    const shape = rapier.ColliderDesc.cuboid(sizeX / 2, sizeY / 2, sizeZ / 2)
      .setTranslation(x, y, z)
      .setFriction(STATIC_FRICTION)
      .setCollisionGroups(collisionGroups);
    if (turn !== null) {
      const [qx, qy, qz, qw] = yawToQuat(turn.yawRad);
      shape.setRotation({ x: qx, y: qy, z: qz, w: qw });
    }
    return physics.createCollider(shape);
  };

  const { min, max } = scene.layout.bounds;
  add(
    [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, -FLOOR_THICKNESS_M / 2],
    [max[0] - min[0] + 1, max[1] - min[1] + 1, FLOOR_THICKNESS_M],
    groups.FLOOR_GROUP,
    null,
  );
  for (const obstacle of scene.layout.obstacles) {
    const own = standing(scene, obstacle);
    const turn = turnOf(obstacle);
    const collider = add(obstacle.pose.position, obstacle.size, own?.collisionGroups ?? groups.STATIC_GROUP, turn);
    obstacleIds.set(collider.handle, obstacle.obstacle_id);
    for (const part of own?.parts ?? []) add(part.centre, part.size, part.collisionGroups, turn);
  }
  return obstacleIds;
}
