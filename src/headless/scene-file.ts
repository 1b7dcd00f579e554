import { sceneRefused } from '../protocol/headless-texts.ts';
import { isSceneId } from '../protocol/scene-ids.ts';
import { SCENE_LIMITS } from '../protocol/scene-limits.ts';
import { Scenes } from '../simulation/scene.ts';
import type { SceneDefinition } from '../simulation/scene-definition.ts';
import { readSceneFile } from '../simulation/scene-file/read.ts';
import { readBounded } from './read-bounded.ts';

const OF_THE_PRODUCT = { path: 'scene_id', reason: 'must be another id; a scene that comes with SimpleSim has this one.' };

/**
 * Reads a scene file.
 * @param file its text, or the value of its JSON
 * @throws RangeError with each problem, its place and what would be right
 */
export function sceneOfFile(file: unknown): SceneDefinition {
  const read = readSceneFile(file);
  if (!read.ok) throw new RangeError(sceneRefused(read.problems));
  if (isSceneId(read.definition.layout.scene_id)) throw new RangeError(sceneRefused([OF_THE_PRODUCT]));
  return read.definition;
}

/** Returns the scenes of a robot: the built-in ones, and that of a file. @throws RangeError as `sceneOfFile` */
export const scenesWith = (file: string | null): Scenes => (file === null ? new Scenes() : new Scenes(sceneOfFile(file)));

/**
 * Reads a scene file from the disk.
 * @returns the id of its scene, and the scenes of a robot in it
 * @throws Error when it cannot be read, or RangeError with each problem
 */
export async function loadSceneFile(path: string): Promise<{ sceneId: string; scenes: Scenes }> {
  const scene = sceneOfFile(await readBounded(path, SCENE_LIMITS.bytes));
  return { sceneId: scene.layout.scene_id, scenes: new Scenes(scene) };
}
