import { registerScene } from '../../src/simulation/scene.ts';
import { readSceneFile } from '../../src/simulation/scene-file/read.ts';

/** Makes a scene file known by its id. @throws Error if it is invalid */
export function registerFile(file: unknown): void {
  const read = readSceneFile(file);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  registerScene(read.definition);
}
