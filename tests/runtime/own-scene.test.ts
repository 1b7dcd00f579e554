/** A scene from a file: chosen like any other, restarted, reported to clients, and continued after a reload. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { Scenes } from '../../src/simulation/scene.ts';
import { scenesOf } from './own-scenes.ts';
import { createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

const HALL = JSON.parse(readFileSync(join(import.meta.dirname, '../../scenes/hall.json'), 'utf8')) as { things: unknown[] };
const file = (title: string, cubeCount: number) => ({
  ...HALL,
  scene_id: 'own',
  title,
  things: HALL.things.slice(0, cubeCount),
});
const ownHall = () => scenesOf(file('Own hall', 2));
const newerHall = () => scenesOf(file('Newer', 1));
const entityIds = (t: TestRuntime): string[] => Object.keys(t.read('runtime.scene_state').entities);
const OWN_ENTITIES = ['robot', 'pad_1', 'pad_2', 'pad_3', 'cube_0', 'cube_1'];

describe('a scene from a file', () => {
  it('a scene from a file is chosen by its id, worked in, and restarted', async () => {
    const t = await createTestRuntime({ scenes: ownHall() });
    expect(t.invoke('select_scene', { scene_id: 'own' }).result).toEqual({ scene_id: 'own', seed: 1 });
    expect(entityIds(t)).toEqual(OWN_ENTITIES);
    expect(t.read('runtime.scene_layout').scene_id).toBe('own');
    expect(t.invoke('go_to', entity('cube_1')).status).toBe('done');
    expect(t.invoke('pick_entity', entity('cube_1')).status).toBe('done');
    expect(t.invoke('reset', {}).result.scene_id).toBe('own');
    expect(t.read('runtime.state').robot.held_entity_ids).toEqual([]);
    expect(t.invoke('reset', { scene_id: 'hall' }).result.scene_id).toBe('hall');
    expect(t.invoke('reset', { scene_id: 'own', seed: 3 }).result).toEqual({ scene_id: 'own', seed: 3 });
    expect(t.scenes).toEqual(['own', 'hall', 'own']);
  });

  it('a scene from a file is among the scenes that a runtime lists, also in the schemas of its skills', async () => {
    const t = await createTestRuntime({ scenes: ownHall() });
    const ids = [...SCENE_IDS, 'own'];
    const chosen = () =>
      t.read('runtime.tools_list').flatMap((skill: { input_schema: { properties?: { scene_id?: { enum: string[] } } } }) => {
        const { scene_id: sceneId } = skill.input_schema.properties ?? {};
        return sceneId ? [sceneId.enum] : [];
      });
    expect(t.read('runtime.manifest').scenes).toEqual(ids);
    expect(t.read('runtime.capabilities').simulation.scenes).toEqual(ids);
    expect(chosen()).toEqual([ids, ids]);
  });

  it('an unknown scene is rejected with the list of known ones, and the present world stays', async () => {
    const t = await createTestRuntime({ scenes: ownHall() });
    for (const [name, sceneId] of ['select_scene', 'reset'].flatMap((one) => ['moon', 7, null].map((id) => [one, id] as const))) {
      const { error } = t.invoke(name, { scene_id: sceneId });
      expect(error).toMatchObject({
        code: 'INVALID_INPUT',
        details: { attempted: false, path: 'input.scene_id', allowed: { enum: [...SCENE_IDS, 'own'] } },
      });
      expect(error.message).toContain(`"own"; it is ${JSON.stringify(sceneId)}`);
    }
    expect(t.read('runtime.scene_layout').scene_id).toBe('warehouse');
    expect(t.scenes).toEqual([]);
  });

  it('a running scene stays when another is opened under its id; the next choice takes the newer one', async () => {
    const scenes = ownHall();
    const t = await createTestRuntime({ scenes, sceneId: 'own' });
    const newer = newerHall().byId('own');
    expect(newer && scenes.add(newer)).toBe(true);
    expect(entityIds(t)).toEqual(OWN_ENTITIES);
    t.invoke('reset', {});
    expect(entityIds(t)).toEqual(OWN_ENTITIES);
    t.invoke('select_scene', { scene_id: 'own' });
    expect(entityIds(t)).toEqual(OWN_ENTITIES.slice(0, -1));
  });

  it.each([
    ['its scene is unknown', new Scenes(), 'Own hall'],
    ['another scene has its id', newerHall(), 'Newer'],
  ])('a scene from a file continues after a reload, when %s', async (_, scenes, title) => {
    const before = await createTestRuntime({ scenes: ownHall(), sceneId: 'own', seed: 4 });
    expect(before.invoke('go_to', entity('cube_1')).status).toBe('done');
    expect(before.invoke('pick_entity', entity('cube_1')).status).toBe('done');
    const kept = structuredClone(before.runtime.keep());
    if (!kept) throw new Error('Nothing was kept.');
    const after = await createTestRuntime({ scenes });
    expect(after.runtime.restore(kept, after.nowMs)).toMatchObject({ ok: true, hash: kept.world.hash });
    expect(after.scenes).toEqual(['own']);
    expect(entityIds(after)).toEqual(OWN_ENTITIES);
    expect(after.read('runtime.state').robot.held_entity_ids).toEqual(['cube_1']);
    expect(scenes.byId('own')?.title).toBe(title);
    expect(after.invoke('reset', {}).result).toEqual({ scene_id: 'own', seed: 4 });
    expect(entityIds(after)).toEqual(OWN_ENTITIES);
  });

  it('a scene whose kept file is damaged is not continued', async () => {
    const t = await createTestRuntime({ scenes: ownHall(), sceneId: 'own' });
    const kept = structuredClone(t.runtime.keep());
    if (!kept) throw new Error('Nothing was kept.');
    for (const sceneFile of [{}, [], 'x', { ...kept.world.sceneFile, pads: 7 }, null, undefined]) {
      const damaged = structuredClone({ ...kept, world: { ...kept.world, sceneFile: sceneFile as never } });
      expect((await createTestRuntime()).runtime.restore(damaged, t.nowMs).ok).toBe(false);
    }
  });
});
