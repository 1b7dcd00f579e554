import type { Scenes } from '../simulation/scene.ts';
import { takeSceneFile } from '../simulation/scene-file/take.ts';

/**
 * Adds the scene of a file.
 * @param file its text, or a value of JSON
 * @returns its id, or what is wrong with it in a sentence. Never throws
 */
export function adoptSceneFile(file: unknown, scenes: Scenes): { ok: true; sceneId: string } | { ok: false; reason: string } {
  const taken = takeSceneFile(file, scenes);
  if (taken.ok) return taken;
  const [first] = taken.problems;
  return { ok: false, reason: first === undefined ? 'the scene is invalid' : `"${first.path}" of the scene ${first.reason}` };
}
