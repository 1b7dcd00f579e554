/**
 * A robot passes under a thing that hangs higher than it is tall, with empty hands and with a thing in them, but not under a
 * lower one.
 */
import { describe, expect, it } from 'vitest';
import { ROBOT_IDS } from '../../src/protocol/wire/robot.ts';
import { robotModel } from '../../src/protocol/wire/robots.ts';
import type { Scenes } from '../../src/simulation/scene.ts';
import { scenesOf } from './own-scenes.ts';
import { createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

/** A wall across a room with a doorway under a lintel; a cube on the near side. @param underM of the lintel */
function layOut(underM: number): Scenes {
  const wall = (id: string, y: number) => ({ id, kind: 'wall', position: [1, y, 1.3], size: [0.2, 2.2, 2.6] });
  return scenesOf({
    format: 'simplesim.scene/1',
    scene_id: 'doorway',
    title: 'A doorway',
    summary: 'A wall with a doorway.',
    bounds: { min: [-2, -3, 0], max: [4, 3, 3] },
    spawn: { position: [-1, 0] },
    obstacles: [
      wall('post_left', 1.9),
      wall('post_right', -1.9),
      { id: 'lintel', kind: 'wall', position: [1, 0, underM + 0.1], size: [0.2, 1.6, 0.2] },
      { id: 'lamp', kind: 'wall', position: [3, 1, underM + 0.1], size: [0.4, 0.4, 0.2] },
    ],
    pads: [],
    things: [{ color: 'red', position: [-0.4, 0.8, 0.075] }],
  });
}

const to = (x: number, y: number) => ({ target: { kind: 'pose', pose: { position: [x, y, 0] } } });
const walked = (t: TestRuntime, x: number, y: number) => t.invoke('go_to', to(x, y)).error?.code ?? 'done';

describe.each(ROBOT_IDS)('%s', (robotId) => {
  it('the robot walks through a doorway and stands under a lamp, and carries a cube there', async () => {
    const t = await createTestRuntime({ robotId, scenes: layOut(2.4) });
    t.invoke('select_scene', { scene_id: 'doorway' });
    expect(walked(t, 3, 0)).toBe('done');
    expect(walked(t, 3, 1)).toBe('done');
    expect(walked(t, -1, 0)).toBe('done');
    for (const skill of ['go_to', 'pick_entity']) expect(t.invoke(skill, entity('cube_0')).error).toBeUndefined();
    expect(walked(t, 3, 0)).toBe('done');
    expect(walked(t, 3, 1)).toBe('done');
  });

  it('the robot does not pass a lintel that is lower than its head', async () => {
    const t = await createTestRuntime({ robotId, scenes: layOut(robotModel(robotId).heightM - 0.05) });
    t.invoke('select_scene', { scene_id: 'doorway' });
    expect(walked(t, 3, 0)).toBe('NO_PATH');
    expect(walked(t, 3, 1)).toBe('GOAL_OCCUPIED');
  });
});
