import type { SceneOutcome } from '../../protocol/scene-outcome.ts';
import { registerScene } from '../scene.ts';
import { readSceneFile } from './read.ts';

/** Reads a scene file and makes its scene one that can be chosen. A refused file changes nothing. */
export function takeSceneFile(text: string): SceneOutcome {
  const read = readSceneFile(text);
  if (!read.ok) return read;
  const { layout, title } = read.definition;
  const { scene_id: sceneId } = layout;
  if (registerScene(read.definition)) return { ok: true, sceneId, title };
  return {
    ok: false,
    problems: [{ path: 'scene_id', reason: `must be another id; a scene that comes with SimpleSim is called ${sceneId}.` }],
  };
}
