import { SCENE_LIMITS } from '../protocol/files/scene-limits.ts';
import { sceneRefused } from '../protocol/texts/headless-texts.ts';
import { Scenes } from '../simulation/scene.ts';
import { takeSceneFile } from '../simulation/scene-file/take.ts';
import { readBounded } from './read-bounded.ts';

/** The scene of a file, and the scenes of a robot in it. */
export interface OwnScene {
  sceneId: string;
  scenes: Scenes;
}

/**
 * Reads a scene file.
 * @param file its text, or the value of its JSON
 * @throws RangeError with each problem, its place and what would be right
 */
export function readOwnScene(file: unknown): OwnScene {
  const scenes = new Scenes();
  const taken = takeSceneFile(file, scenes);
  if (!taken.ok) throw new RangeError(sceneRefused(taken.problems));
  return { sceneId: taken.sceneId, scenes };
}

/** Returns the scenes of a robot: the built-in ones, and that of a file. @throws RangeError as `readOwnScene` */
export const scenesWith = (file: string | null): Scenes => (file === null ? new Scenes() : readOwnScene(file).scenes);

/** Reads a scene file from the disk. @throws Error when it cannot be read, or RangeError as `readOwnScene` */
export const loadSceneFile = async (path: string): Promise<OwnScene> => readOwnScene(await readBounded(path, SCENE_LIMITS.bytes));
