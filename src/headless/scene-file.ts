import { sceneRefused } from '../protocol/headless-texts.ts';
import { SCENE_LIMITS } from '../protocol/scene-limits.ts';
import { registerScene } from '../simulation/scene.ts';
import type { SceneDefinition } from '../simulation/scene-definition.ts';
import { readSceneFile } from '../simulation/scene-file/read.ts';
import { takeSceneFile } from '../simulation/scene-file/take.ts';
import { readBounded } from './read-bounded.ts';

/**
 * Reads a scene file for a simulation of this process.
 * @param file its text, or the value of its JSON
 * @throws RangeError with each problem, its place and what would be right
 */
export function sceneOfFile(file: unknown): SceneDefinition {
  const read = readSceneFile(file);
  if (!read.ok) throw new RangeError(sceneRefused(read.problems));
  if (!registerScene(read.definition)) throw new RangeError(sceneRefused([OF_THE_PRODUCT]));
  return read.definition;
}

const OF_THE_PRODUCT = { path: 'scene_id', reason: 'must be another id; a scene that comes with SimpleSim has this one.' };

/**
 * Reads a scene file from the disk and makes its scene one that robots of this process can be in.
 * @returns its id
 * @throws Error when it cannot be read, or RangeError with each problem
 */
export async function loadSceneFile(path: string): Promise<string> {
  const taken = takeSceneFile(await readBounded(path, SCENE_LIMITS.bytes));
  if (!taken.ok) throw new RangeError(sceneRefused(taken.problems));
  return taken.sceneId;
}
