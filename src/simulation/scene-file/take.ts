import type { SceneOutcome } from '../../protocol/wire/scene-outcome.ts';
import type { Scenes } from '../scene.ts';
import { readSceneFile } from './read.ts';

/** Reads a scene file and adds its scene. A refused file changes nothing. @param file its text, or the value of its JSON */
export function takeSceneFile(file: unknown, scenes: Scenes): SceneOutcome {
  const read = readSceneFile(file);
  if (!read.ok) return read;
  const { layout, title } = read.definition;
  const { scene_id: sceneId } = layout;
  if (scenes.add(read.definition)) return { ok: true, sceneId, title };
  return {
    ok: false,
    problems: [{ path: 'scene_id', reason: `must be another id; a scene that comes with SimpleSim is called ${sceneId}.` }],
  };
}
