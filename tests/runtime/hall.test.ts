/** The second scene: no belt, no sorting, tables instead of pallets. The robot can do everything there. */
import { describe, expect, it } from 'vitest';
import { cameraIdsOf, slots } from '../../src/simulation/scene.ts';
import { cubeTruth } from './oracle.ts';
import { atPose, createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

const hall = (seed = 1): Promise<TestRuntime> => createTestRuntime({ sceneId: 'hall', seed });
const done = (t: TestRuntime, name: string, input?: unknown): void => {
  const reply = t.invoke(name, input);
  expect(reply.error, `${name} ${JSON.stringify(input)}`).toBeUndefined();
};
const stateOf = (t: TestRuntime, id: string) => t.read('runtime.scene_state').entities[id];
const CUBES = Array.from({ length: 6 }, (_, number) => `cube_${number}`);

describe('the hall', () => {
  it.each([1, 5])(
    'P1 seed %i: each of the six cubes is carried to a pad and lies there',
    async (seed) => {
      const t = await hall(seed);
      for (const [index, cube] of CUBES.entries()) {
        const pad = ['pad_2', 'pad_3'][index % 2] ?? '';
        done(t, 'go_to', entity(cube));
        done(t, 'pick_entity', entity(cube));
        done(t, 'go_to', entity(pad));
        done(t, 'place_entity', entity(pad));
        expect(stateOf(t, cube).state).toMatchObject({ parent_pad_id: pad, at_rest: true });
      }
      expect(t.read('runtime.state').robot.extra.sort_benchmark).toMatchObject({ enabled: false, collected_count: 0 });
      // All of them are still there, because nothing is collected.
      expect(CUBES.map((cube) => stateOf(t, cube).visible)).toEqual(CUBES.map(() => true));
    },
    240_000,
  );

  it('P1 each slot of each pad accepts a cube, which can be taken again', async () => {
    const t = await hall(3);
    const all = ['pad_2', 'pad_3'].flatMap((padId) => slots(t.core.world, padId));
    for (const { pad_id: padId, index, position } of all) {
      done(t, 'go_to', entity('cube_0'));
      done(t, 'pick_entity', entity('cube_0'));
      // A table is longer than the robot reaches, so it stands level with the slot.
      done(t, 'go_to', padId === 'pad_2' ? atPose(position[0] - 0.5, position[1], 0, { yaw_deg: 0 }) : entity(padId));
      done(t, 'place_entity', { target: { kind: 'slot', pad_id: padId, index } });
      const at = cubeTruth(t.core, 'cube_0').position;
      expect(Math.hypot(at[0] - position[0], at[1] - position[1], at[2] - position[2]), `${padId} ${index}`).toBeLessThan(0.03);
    }
  }, 240_000);

  it('the robot looks at things in the hall, and takes pictures with the hall’s own cameras', async () => {
    const t = await hall();
    for (const id of ['pad_1', 'pad_2', 'cube_5']) done(t, 'look_at', entity(id));
    const { cameras, scenes } = t.read('runtime.capabilities');
    const reported = cameras.map(({ camera_id }: { camera_id: string }) => camera_id);
    expect(reported).toEqual(cameraIdsOf(t.core.world));
    expect(reported).toEqual(expect.arrayContaining(['pov', 'topdown', 'corner']));
    expect(scenes ?? t.read('runtime.manifest').scenes).toContain('hall');
    const unknown = t.read('runtime.cameras_capture', { selector: { kind: 'id', id: 'ceiling' } });
    expect(unknown.error.code).toBe('UNKNOWN_CAMERA');
  });

  it('P3 the hall rejects the sorting benchmark with the reason', async () => {
    const t = await hall();
    const { error } = t.invoke('configure_benchmark', { benchmark: { enabled: true } });
    expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { attempted: false, path: 'input.benchmark' } });
    expect(error.message).toContain('the scene hall is not made for sorting');
    expect(error.message).toContain('warehouse');
    expect(t.read('runtime.state').robot.extra.sort_benchmark).toMatchObject({ enabled: false, pallet_stack_counts: {} });
  });

  it('a rejection in the hall calls a table a table', async () => {
    const t = await hall();
    expect(t.invoke('go_to', entity('table')).error.message).toMatch(/pad_1|pad_2/);
  });
});

describe('select_scene', () => {
  it('selecting the other scene and back 50 times leaves nothing behind', async () => {
    const t = await createTestRuntime();
    const first = t.read('runtime.scene_state').entities;
    const layout = t.read('runtime.scene_layout');
    for (let turn = 0; turn < 50; turn += 1) {
      done(t, 'select_scene', { scene_id: 'hall' });
      expect(Object.keys(t.read('runtime.scene_state').entities)).toEqual(['robot', 'pad_1', 'pad_2', 'pad_3', ...CUBES]);
      t.advance(2);
      done(t, 'select_scene', { scene_id: 'warehouse' });
    }
    expect(t.read('runtime.scene_state').entities).toEqual(first);
    expect(t.read('runtime.scene_layout')).toEqual(layout);
    expect(t.core.world.physics.bodies.len()).toBe((await createTestRuntime()).core.world.physics.bodies.len());
  });

  it('the other scene is reported before a picture of it is requested', async () => {
    const t = await createTestRuntime();
    done(t, 'select_scene', { scene_id: 'hall' });
    t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'corner' } });
    done(t, 'reset', {});
    expect(t.scenes).toEqual(['hall', 'picture of corner']);
  });
});

describe('a kept world', () => {
  it('a kept world continues in its scene, which is reported first', async () => {
    const before = await hall(4);
    done(before, 'go_to', entity('cube_2'));
    done(before, 'pick_entity', entity('cube_2'));
    const kept = before.runtime.keep();
    if (!kept) throw new Error('Nothing was kept.');
    const after = await createTestRuntime();
    expect(after.runtime.restore(structuredClone(kept), after.nowMs)).toMatchObject({ ok: true, hash: kept.world.hash });
    expect(after.scenes).toEqual(['hall']);
    expect(after.read('runtime.state').robot.held_entity_ids).toEqual(['cube_2']);
    done(after, 'go_to', entity('pad_2'));
    done(after, 'place_entity', entity('pad_2'));
  }, 60_000);
});
