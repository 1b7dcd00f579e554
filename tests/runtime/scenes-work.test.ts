/** Every scene of the product can be worked in: each pad is reached, each cube is taken, and each destination pad gets one. */
import { describe, expect, it } from 'vitest';
import { ROBOT_IDS } from '../../src/protocol/wire/robot.ts';
import { SCENE_IDS, type SceneId } from '../../src/protocol/wire/scene-ids.ts';
import { cameraIdsOf } from '../../src/simulation/scene.ts';
import * as things from '../../src/simulation/things.ts';
import { cubeTruth } from './oracle.ts';
import { createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

/** The warehouse has its own tests, and its belt brings cubes without end. */
const SCENES = SCENE_IDS.filter((id) => id !== 'warehouse');

const done = (t: TestRuntime, name: string, input?: unknown): void => {
  const reply = t.invoke(name, input);
  expect(reply.error, `${name} ${JSON.stringify(input)}`).toBeUndefined();
};
const thingIds = (t: TestRuntime): string[] => things.list(t.core.world).map(({ entityId }) => entityId);
/** The things that the hands of every robot can hold: the others are containers for them. */
const takenIds = (t: TestRuntime): string[] =>
  things
    .list(t.core.world)
    .filter(({ shape }) => shape.kind !== 'container')
    .map(({ entityId }) => entityId);
const cases = SCENES.flatMap((sceneId) => ROBOT_IDS.map((robotId): [SceneId, (typeof ROBOT_IDS)[number]] => [sceneId, robotId]));

describe.each(cases)('%s, %s', (sceneId, robotId) => {
  it('lies still at first, and has paths to every pad and every thing', async () => {
    const t = await createTestRuntime({ sceneId, robotId });
    const before = things.list(t.core.world);
    expect(before.every(({ atRest }) => atRest)).toBe(true);
    t.advance(240);
    const after = things.list(t.core.world);
    for (const [index, { position }] of after.entries()) {
      const [x, y, z] = before[index]?.position ?? [0, 0, 0];
      expect(Math.hypot(position[0] - x, position[1] - y, position[2] - z), after[index]?.entityId).toBeLessThan(0.002);
    }
    // From the spawn: directly before a thing the head looks over it.
    for (const id of [...thingIds(t), ...t.core.world.scene.layout.pads.map(({ pad_id }) => pad_id)])
      done(t, 'look_at', entity(id));
    for (const { pad_id: id } of t.core.world.scene.layout.pads) done(t, 'go_to', entity(id));
    for (const id of thingIds(t)) done(t, 'go_to', entity(id));
    expect(cameraIdsOf(t.core.world)).toEqual(expect.arrayContaining(['pov', 'topdown']));
  }, 240_000);

  it('P1 each thing that hands can hold is carried to a destination pad, and each such pad gets one', async () => {
    const t = await createTestRuntime({ sceneId, robotId });
    const wanted = t.core.world.scene.layout.pads.filter(({ role }) => role === 'destination').map(({ pad_id }) => pad_id);
    const ids = takenIds(t);
    const lay = new Set<string>();
    for (let turn = 0; turn < Math.max(ids.length, wanted.length); turn += 1) {
      const cube = ids[turn % ids.length] ?? '';
      const pad = wanted[turn % wanted.length] ?? '';
      done(t, 'go_to', entity(cube));
      done(t, 'pick_entity', entity(cube));
      done(t, 'go_to', entity(pad));
      done(t, 'place_entity', entity(pad));
      t.advance(60);
      const truth = cubeTruth(t.core, cube);
      const place = t.core.world.scene.layout.pads.find(({ pad_id }) => pad_id === pad);
      expect(Math.abs(truth.position[0] - (place?.position[0] ?? 0)), `${cube} on ${pad}`).toBeLessThan(
        (place?.size[0] ?? 0) / 2,
      );
      expect(Math.abs(truth.position[1] - (place?.position[1] ?? 0)), `${cube} on ${pad}`).toBeLessThan(
        (place?.size[1] ?? 0) / 2,
      );
      expect(truth.position[2], `${cube} on ${pad}`).toBeGreaterThan((place?.position[2] ?? 0) + 0.03);
      lay.add(pad);
    }
    expect([...lay].sort()).toEqual([...wanted].sort());
  }, 240_000);

  it('P1 lets a thing be put into each container', async () => {
    const t = await createTestRuntime({ sceneId, robotId });
    const ids = takenIds(t);
    for (const [index, id] of thingIds(t)
      .filter((one) => !ids.includes(one))
      .entries()) {
      const it = ids[index] ?? '';
      done(t, 'go_to', entity(it));
      done(t, 'pick_entity', entity(it));
      done(t, 'go_to', entity(id));
      done(t, 'place_entity', entity(id));
      t.advance(120);
      const [inside, around] = [cubeTruth(t.core, it).position, cubeTruth(t.core, id).position];
      expect(Math.hypot(inside[0] - around[0], inside[1] - around[1]), `${it} in ${id}`).toBeLessThan(0.2);
    }
  }, 240_000);
});
