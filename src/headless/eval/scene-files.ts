import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { shownLine } from '../../common/shown-text.ts';
import { SCENE_LIMITS } from '../../protocol/files/scene-limits.ts';
import { Scenes } from '../../simulation/scene.ts';
import { takeSceneFile } from '../../simulation/scene-file/take.ts';
import { readBounded, unreadable } from '../read-bounded.ts';
import { matchingPaths } from './matching-paths.ts';

/** Scenes of files. */
export interface SceneFiles {
  /** The scenes that tasks and runs can be in. */
  scenes: Scenes;
  /** The text of each file, by the id of its scene. */
  texts: ReadonlyMap<string, string>;
}

/**
 * Reads scene files, those of a folder by the ending `.json`.
 * @throws Error with every problem of every file, a line each
 */
export async function readSceneFiles(paths: readonly string[]): Promise<SceneFiles> {
  const scenes = new Scenes();
  const texts = new Map<string, string>();
  const problems: string[] = [];
  for (const path of await matchingPaths(paths)) {
    try {
      const files = (await stat(path)).isDirectory() ? await filesIn(path) : [path];
      if (files.length === 0) problems.push(`${path}: no file in this folder ends in .json.`);
      for (const file of files) problems.push(...(await readInto(scenes, texts, file)));
    } catch (thrown) {
      problems.push(unreadable(path, thrown));
    }
  }
  if (problems.length > 0) throw new Error(problems.map(shownLine).join('\n'));
  return { scenes, texts };
}

const filesIn = async (dir: string): Promise<string[]> =>
  (await readdir(dir))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(dir, name));

/** @returns the problems of one file */
async function readInto(scenes: Scenes, texts: Map<string, string>, file: string): Promise<string[]> {
  try {
    const text = await readBounded(file, SCENE_LIMITS.bytes);
    const taken = takeSceneFile(text, scenes);
    if (!taken.ok) return taken.problems.map(({ path, reason }) => `${file}${path === '' ? ': it' : `, ${path}:`} ${reason}`);
    if (texts.has(taken.sceneId)) return [`${file}: the scene "${taken.sceneId}" was named already.`];
    texts.set(taken.sceneId, text);
    return [];
  } catch (thrown) {
    return [unreadable(file, thrown)];
  }
}
