import { isSceneId } from '../protocol/scene-ids.ts';
import { registerScene } from '../simulation/scene.ts';
import { readSceneFile } from '../simulation/scene-file/read.ts';

/**
 * Makes the scene of a file one that a run can be in, until another of its id is registered.
 * @param file its text, or a value of JSON
 * @returns its id, or what is wrong with it in a sentence. Never throws
 */
export function adoptSceneFile(file: unknown): { ok: true; sceneId: string } | { ok: false; reason: string } {
  const read = readSceneFile(file);
  if (!read.ok) {
    const [first] = read.problems;
    return { ok: false, reason: first === undefined ? 'the scene is invalid' : `"${first.path}" of the scene ${first.reason}` };
  }
  const { scene_id: sceneId } = read.definition.layout;
  if (isSceneId(sceneId) || !registerScene(read.definition))
    return { ok: false, reason: `a scene that comes with the product is called ${sceneId}, and has no file of its own` };
  return { ok: true, sceneId };
}
