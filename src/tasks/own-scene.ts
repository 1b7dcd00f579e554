import type { Scenes } from '../simulation/scene.ts';
import { readSceneFile } from '../simulation/scene-file/read.ts';

/**
 * Adds the scene of a file.
 * @param file its text, or a value of JSON
 * @returns its id, or what is wrong with it in a sentence. Never throws
 */
export function adoptSceneFile(file: unknown, scenes: Scenes): { ok: true; sceneId: string } | { ok: false; reason: string } {
  const read = readSceneFile(file);
  if (!read.ok) {
    const [first] = read.problems;
    return { ok: false, reason: first === undefined ? 'the scene is invalid' : `"${first.path}" of the scene ${first.reason}` };
  }
  const { scene_id: sceneId } = read.definition.layout;
  if (!scenes.add(read.definition))
    return { ok: false, reason: `a scene that comes with the product is called ${sceneId}, and has no file of its own` };
  return { ok: true, sceneId };
}
