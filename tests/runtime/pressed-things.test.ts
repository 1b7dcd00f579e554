import { describe, expect, it } from 'vitest';
import type { RobotId } from '../../src/protocol/wire/robot.ts';
import { CUBE_EDGE_M } from '../../src/protocol/wire/scene.ts';
import { addCube } from '../../src/simulation/things.ts';
import { createChance } from '../oracle/chance.ts';
import { readTruth } from '../oracle/truth.ts';
import { atPose, createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

/** The inner face of the hall's northern wall, world frame, metres. */
const WALL_Y_M = 3.8;

/** How far a cube's lowest corner is below the floor, and how far its farthest corner is inside the wall, metres. */
function depthsOf(t: TestRuntime, id: string): { floorM: number; wallM: number } {
  const cube = readTruth(t.core, null).things.get(id);
  if (!cube) throw new Error(`There is no ${id}.`);
  const [x, y, z, w] = cube.q;
  const half = (a: number, b: number, c: number): number => (CUBE_EDGE_M / 2) * (Math.abs(a) + Math.abs(b) + Math.abs(c));
  const up = half(2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y));
  const north = half(2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w));
  return { floorM: up - cube.z, wallM: cube.y + north - WALL_Y_M };
}

/** Drives north into the wall at full speed and returns the maximum depth of the cube. */
function driveIntoWall(t: TestRuntime, id: string, vy: number, wz: number): { floorM: number; wallM: number } {
  const worst = { floorM: 0, wallM: 0 };
  t.start('set_velocity', { vx: 1.5, vy, wz, duration_s: 2 });
  for (let step = 0; step < 300; step += 1) {
    t.advance();
    const { floorM, wallM } = depthsOf(t, id);
    worst.floorM = Math.max(worst.floorM, floorM);
    worst.wallM = Math.max(worst.wallM, wallM);
  }
  return worst;
}

describe('a thing between the robot and a wall', () => {
  const ROBOTS: readonly RobotId[] = ['humanoid', 'picker'];

  it.each(ROBOTS)('a thing does not fall into the floor from the hands of a %s that drives into the wall', async (robotId) => {
    const chance = createChance(7);
    for (let round = 0; round < 8; round += 1) {
      const t = await createTestRuntime({ sceneId: 'hall', robotId });
      t.invoke('go_to', entity('cube_2'));
      expect(t.invoke('pick_entity', entity('cube_2')).status).toBe('done');
      t.invoke('go_to', atPose(-0.4, chance.between(1.6, 2.6), 0, { yaw_deg: 90 }));
      const { floorM, wallM } = driveIntoWall(t, 'cube_2', chance.between(-0.5, 0.5), chance.between(-0.6, 0.6));
      expect(floorM).toBeLessThan(0.01);
      expect(wallM).toBeLessThan(0.025);
      t.runtime.dispose();
    }
  });

  it.each(ROBOTS)('a thing is not pressed into wall or floor by the base of a %s', async (robotId) => {
    const chance = createChance(3);
    for (let round = 0; round < 8; round += 1) {
      const t = await createTestRuntime({ sceneId: 'hall', robotId });
      const start = { position: [-1 + chance.between(-0.2, 0.2), 2.3, 0], yaw_deg: 90 };
      expect(t.invoke('select_scene', { scene_id: 'hall', start_pose: start }).status).toBe('done');
      const { entityId, rigidBody } = addCube(t.core.world, 'red', [-1, 3.6 - chance.between(0, 0.3), CUBE_EDGE_M / 2]);
      const half = chance.between(0, Math.PI / 4);
      rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(half), w: Math.cos(half) }, true);
      t.advance(30);
      const { floorM, wallM } = driveIntoWall(t, entityId, chance.between(-0.3, 0.3), chance.between(-0.5, 0.5));
      expect(floorM).toBeLessThan(0.012);
      expect(wallM).toBeLessThan(0.025);
      t.runtime.dispose();
    }
  });
});
