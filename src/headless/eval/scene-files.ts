import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SCENE_LIMITS } from '../../protocol/scene-limits.ts';
import { takeSceneFile } from '../../simulation/scene-file/take.ts';

/** The files of scenes that do not come with the product, as text, by the id of the scene. */
export type SceneFiles = ReadonlyMap<string, string>;

/**
 * Reads scene files, those of a folder by the ending `.json`, and makes their scenes ones that tasks and runs can be in.
 * @throws Error with every problem of every file, a line each
 */
export async function readSceneFiles(paths: readonly string[]): Promise<SceneFiles> {
  const scenes = new Map<string, string>();
  const problems: string[] = [];
  for (const path of paths) {
    try {
      const files = (await stat(path)).isDirectory() ? await filesIn(path) : [path];
      if (files.length === 0) problems.push(`${path}: no file in this folder ends in .json.`);
      for (const file of files) problems.push(...(await readInto(scenes, file)));
    } catch (thrown) {
      problems.push(unreadable(path, thrown));
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return scenes;
}

const filesIn = async (dir: string): Promise<string[]> =>
  (await readdir(dir))
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(dir, name));

/** @returns the problems of one file */
async function readInto(scenes: Map<string, string>, file: string): Promise<string[]> {
  try {
    const text = await readBounded(file);
    const taken = takeSceneFile(text);
    if (!taken.ok) return taken.problems.map(({ path, reason }) => `${file}${path === '' ? ': it' : `, ${path}:`} ${reason}`);
    if (scenes.has(taken.sceneId)) return [`${file}: the scene "${taken.sceneId}" was named already.`];
    scenes.set(taken.sceneId, text);
    return [];
  } catch (thrown) {
    return [unreadable(file, thrown)];
  }
}

/** Reads a byte more than a scene may have, so that a larger file is refused as one and not read whole. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SCENE_LIMITS.bytes + 1), 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}

const unreadable = (path: string, thrown: unknown): string =>
  `${path}: it cannot be read (${thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable'}).`;
