import RAPIER from '@dimforge/rapier3d-compat';
import { describe, expect, it } from 'vitest';
import { intrinsicsFor } from '../../src/protocol/wire/captures.ts';
import type { SceneCamera } from '../../src/protocol/wire/place.ts';
import { replaceWorld } from '../../src/runtime/core.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import { createWorldOf, disposeWorld } from '../../src/simulation/world.ts';
import { createTestRuntime, type TestRuntime } from './test-runtime.ts';

const DOOR: SceneCamera = {
  id: 'door',
  title: 'Door',
  description: 'By the door.',
  position: [5, 4, 2.5],
  orientation: [1, 0, 0, 0],
  verticalFovDeg: 90,
};

/** A runtime in the warehouse with other cameras. */
async function runtimeWith(cameras: readonly SceneCamera[]): Promise<TestRuntime> {
  const warehouse = builtInScene('warehouse');
  if (!warehouse) throw new Error('There is no warehouse.');
  const t = await createTestRuntime();
  disposeWorld(t.core.world);
  replaceWorld(t.core, createWorldOf(RAPIER, { ...warehouse, cameras }, { seed: 1 }));
  return t;
}

const capture = (t: TestRuntime, id: string) => t.send('runtime.cameras_capture', { selector: { kind: 'id', id } });
const reported = (t: TestRuntime): string[] =>
  t.read('runtime.capabilities').cameras.map(({ camera_id: id }: { camera_id: string }) => id);

describe('the scene decides which cameras exist', () => {
  it('an additional camera is listed, and takes pictures from its place with its own field of view', async () => {
    const own = builtInScene('warehouse')?.cameras ?? [];
    const t = await runtimeWith([...own, DOOR]);
    expect(reported(t)).toEqual(['pov', ...own.map(({ id }) => id), 'door']);
    capture(t, 'door');
    expect(t.jobs).toHaveLength(1);
    expect(t.jobs[0]).toMatchObject({
      camera: 'door',
      frame: {
        intrinsics: intrinsicsFor(90, 1280, 720),
        camera_pose: { position: [5, 4, 2.5], orientation_xyzw: [1, 0, 0, 0] },
      },
    });
  });

  it('a missing camera is rejected with the list of existing ones, and no other replaces it', async () => {
    const t = await runtimeWith([]);
    expect(reported(t)).toEqual(['pov']);
    expect(capture(t, 'topdown').reply.error).toMatchObject({ code: 'UNKNOWN_CAMERA', details: { allowed: ['pov'] } });
    expect(capture(t, 'constructor').reply.error).toMatchObject({ code: 'UNKNOWN_CAMERA' });
    expect(t.jobs).toEqual([]);
  });
});
