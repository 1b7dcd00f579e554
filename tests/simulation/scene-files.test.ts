import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sceneFileSchema } from '../../src/protocol/files/scene-file.ts';
import { SCENE_IDS, SCENES } from '../../src/protocol/wire/scene-ids.ts';
import { builtInScene, Scenes } from '../../src/simulation/scene.ts';
import { readSceneFile } from '../../src/simulation/scene-file/read.ts';
import { takeSceneFile } from '../../src/simulation/scene-file/take.ts';
import { readTask, readTaskValue } from '../../src/tasks/task-reader.ts';

const SCENES_DIR = join(import.meta.dirname, '../../scenes');
const SNAPSHOTS_DIR = join(import.meta.dirname, 'scene-snapshots');
const fileOf = (id: string): string => readFileSync(join(SCENES_DIR, `${id}.json`), 'utf8');

describe('the scene files of the product', () => {
  it('the scene files are exactly the known scenes', () => {
    const names = readdirSync(SCENES_DIR).map((name) => name.replace(/\.json$/, ''));
    expect(names.sort()).toEqual([...SCENE_IDS].sort());
  });

  it.each(SCENE_IDS)('the reader accepts %s and returns the scene of the product', (id) => {
    const read = readSceneFile(fileOf(id));
    expect(read).toEqual({ ok: true, definition: builtInScene(id) });
    expect(builtInScene(id)?.layout.scene_id).toBe(id);
  });

  it.each(SCENE_IDS)('%s has the title and the description of its file', (id) => {
    const scene = builtInScene(id);
    expect(SCENES[id]).toEqual({ title: scene?.title, summary: scene?.summary });
  });

  /** Recorded when code built these two. */
  it.each(['warehouse', 'hall'])('%s equals, to the last bit, the scene that code built', (id) => {
    const kept = JSON.parse(readFileSync(join(SNAPSHOTS_DIR, `${id}.json`), 'utf8')) as Record<string, unknown>;
    const { file: _file, title: _title, summary: _summary, regions, look, dressing, ...scene } = { ...builtInScene(id) };
    // The data for clients about regions is newer.
    expect({ ...scene, layout: { ...scene.layout, regions: undefined } }).toEqual(kept);
    expect({ regions, look, dressing, reported: scene.layout?.regions }).toEqual({
      regions: [],
      look: id,
      dressing: null,
      reported: [],
    });
  });
});

describe('the page of scenes and tasks', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/scenes.md'), 'utf8');
  const [scene = '', task = '', ...parts] = [...page.matchAll(/```json\n([^`]+)```/g)].map(([, example = '']) => example);
  const isGoal = (part: string): boolean => part.startsWith('{');
  const scenes = new Scenes();
  takeSceneFile(scene, scenes);
  const tasked = (changes: object) => readTaskValue({ ...(JSON.parse(task) as object), ...changes }, scenes);

  it('the page begins with a scene that the reader accepts', () => {
    expect(readSceneFile(scene)).toMatchObject({ ok: true, definition: { layout: { scene_id: 'my_room' } } });
  });

  it('the page has a task for this scene that the reader of tasks accepts', () => {
    expect(readTask(task, scenes)).toMatchObject({ ok: true, task: { scene: 'my_room' } });
  });

  it('the page has goals that the reader of tasks accepts for the hall', () => {
    const goals = parts.filter(isGoal);
    expect(goals).toHaveLength(3);
    for (const goal of goals) expect(tasked({ scene: 'hall', goal: JSON.parse(goal) as object })).toMatchObject({ ok: true });
  });

  it('the page has parts of files that the schemas accept', () => {
    for (const part of parts.filter((one) => !isGoal(one))) {
      const members = JSON.parse(`{${part}}`) as object;
      if ('faults' in members) expect(tasked(members)).toMatchObject({ ok: true });
      else expect(sceneFileSchema.safeParse({ ...(JSON.parse(scene) as object), ...members })).toMatchObject({ success: true });
    }
  });
});
