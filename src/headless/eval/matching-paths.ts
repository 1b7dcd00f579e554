import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { glob } from 'tinyglobby';
import { shownLine } from '../../common/shown-text.ts';

const PATTERN = /[*?[{]/;

/**
 * Returns the paths that are meant, in order: a pattern such as `tasks/**.json` stands for everything that matches it, since not every
 * shell replaces it, and what exists under the very name stands for itself.
 * @throws Error for a pattern that nothing matches
 */
export async function matchingPaths(given: readonly string[]): Promise<string[]> {
  const found = await Promise.all(given.map(pathsOf));
  return found.flat();
}

async function pathsOf(path: string): Promise<string[]> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere || !PATTERN.test(path)) return [path];
  const pattern = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const matched = await glob(pattern, { onlyFiles: false, expandDirectories: false, absolute: isAbsolute(path) });
  if (matched.length === 0)
    throw new Error(`${shownLine(path)}: nothing matches this pattern. Look at the folder and the ending.`);
  return matched.sort();
}
