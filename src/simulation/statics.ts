import type RAPIER from '@dimforge/rapier3d-compat';
import { yawToQuat } from '../protocol/geometry.ts';
import type { Obstacle } from '../protocol/scene.ts';
import * as groups from './collision-groups.ts';
import type { SceneDefinition } from './scene.ts';
import { type Turn, turnedOn, turnOf } from './turned-box.ts';

const FLOOR_THICKNESS_M = 0.5;
const STATIC_FRICTION = 0.7;
const HOOD_SHELL_M = 0.02;

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
    const isHood = obstacle.obstacle_id === scene.conveyor.hoodObstacleId;
    const isBelt = obstacle.obstacle_id === scene.conveyor.beltObstacleId;
    const collisionGroups = isHood ? groups.HOOD_BOX_GROUP : isBelt ? groups.BELT_STILL_GROUP : groups.STATIC_GROUP;
    const turn = turnOf(obstacle);
    const collider = add(obstacle.pose.position, obstacle.size, collisionGroups, turn);
    obstacleIds.set(collider.handle, obstacle.obstacle_id);
    if (isHood)
      for (const part of hoodShell(obstacle, scene.conveyor.surfaceZ)) add(part.centre, part.size, groups.HOOD_SHELL_GROUP, turn);
  }
  return obstacleIds;
}

/** Sides, roof and back of the hood above the belt; its front (-y) is where cubes come out. */
function hoodShell(hood: Obstacle, surfaceZ: number): { centre: number[]; size: number[] }[] {
  const [x, y] = hood.pose.position;
  const [sizeX, sizeY] = hood.size;
  const top = hood.pose.position[2] + hood.size[2] / 2;
  const z = (surfaceZ + top) / 2;
  const heightM = top - surfaceZ;
  const t = HOOD_SHELL_M;
  const side = (sign: number) => ({ centre: [x + (sign * (sizeX - t)) / 2, y, z], size: [t, sizeY, heightM] });
  return [
    side(-1),
    side(1),
    { centre: [x, y, top - t / 2], size: [sizeX, sizeY, t] },
    { centre: [x, y + (sizeY - t) / 2, z], size: [sizeX, t, heightM] },
  ];
}
