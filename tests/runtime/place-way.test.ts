import { describe, expect, it } from 'vitest';
import { ROBOT_IDS } from '../../src/protocol/wire/robot.ts';
import { cubeTruth } from './oracle.ts';
import { atPose, createTestRuntime, entity } from './test-runtime.ts';

/** From the belt's edge, which is at 1.15 m, to where a robot has no room between the place and its base. */
const PLACES = ROBOT_IDS.flatMap((robotId) => [1.06, 1.1, 1.12, 1.14].map((x) => ({ robotId, x })));

describe('P1 a cube put on the floor beside the belt, seed 1', () => {
  it.each(PLACES)('a cube placed by a $robotId at x $x lies there, or nothing was tried', async ({ robotId, x }) => {
    const t = await createTestRuntime({ seed: 1, robotId });
    expect(t.invoke('go_to', entity('cube_0')).status).toBe('done');
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    const placed = t.invoke('place_entity', atPose(x, -1.8, 0.075));
    const { position } = cubeTruth(t.core, 'cube_0');
    if (placed.status === 'done') {
      expect(Math.hypot(position[0] - x, position[1] + 1.8)).toBeLessThan(0.03);
      expect(position[2]).toBeLessThan(0.08);
    } else {
      expect(placed.error).toMatchObject({ code: 'OUT_OF_REACH', details: { attempted: false, world_changed: 'no' } });
      expect(t.read('runtime.state').robot.held_entity_ids).toEqual(['cube_0']);
    }
  });
});

/** On the floor before the kitchen's bench: from the nearest stance, hands that move down to hang would meet the basket on it. */
describe('P1 a cube put on the floor beside a basket that stands as high as hanging hands, seed 1', () => {
  it.each([
    [2.493, 1.302],
    [2.498, 1.255],
    [2.387, 1.322],
  ])('a cube placed at %f, %f leaves the basket in place', async (x, y) => {
    const t = await createTestRuntime({ sceneId: 'kitchen', seed: 1 });
    const before = cubeTruth(t.core, 'basket').position;
    expect(t.invoke('go_to', entity('table_cube')).status).toBe('done');
    expect(t.invoke('pick_entity', entity('table_cube')).status).toBe('done');
    expect(t.invoke('go_to', atPose(2.2, 0.9)).status).toBe('done');
    expect(t.invoke('place_entity', atPose(x, y, 0.075)).status).toBe('done');
    t.advance(60);
    const after = cubeTruth(t.core, 'basket').position;
    expect(Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2])).toBeLessThan(0.01);
  });
});
