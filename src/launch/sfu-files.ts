/** The places of programs and of the SFU's files, and the atomic creation of a file in the cache. */
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fullDiskText, thrownText } from '../control-service/thrown.ts';

export const EXE = process.platform === 'win32' ? '.exe' : '';
export const SERVER = `livekit-server${EXE}`;

/** Returns the path of a program in the first folder that has it; null if none has. */
export const findProgram = (name: string, folders: readonly string[]): string | null =>
  folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;

export const pathFolders = (env: NodeJS.ProcessEnv): string[] =>
  (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');

/**
 * Returns the folders of Homebrew's `livekit`, linked or not. They may be missing on the PATH of a program that no shell started.
 */
export function homebrewFolders(env: NodeJS.ProcessEnv, platform: string): string[] {
  if (platform !== 'darwin') return [];
  const own = env.HOMEBREW_PREFIX ? [env.HOMEBREW_PREFIX] : [];
  const prefixes = [...own, '/opt/homebrew', '/usr/local'];
  return prefixes.flatMap((prefix) => [join(prefix, 'bin'), join(prefix, 'opt/livekit/bin')]);
}

/** Returns the places of a version's server. The user's cache is the last: it saves a second clone the download. */
export function cacheFiles(version: string, env: NodeJS.ProcessEnv, projectCacheDir: string | null): string[] {
  const key = `sfu-${version}-${process.platform}-${process.arch}`;
  const userCache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  const folders = [...(projectCacheDir === null ? [] : [projectCacheDir]), join(userCache, 'simplesim')];
  return folders.map((folder) => join(folder, key, SERVER));
}

/**
 * Returns the first file whose folder can be written; creates the folder if it is missing.
 * @throws If no folder can be written.
 */
export function firstWritable(files: readonly string[]): string {
  const troubles: string[] = [];
  for (const file of files) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      accessSync(dirname(file), constants.W_OK);
      return file;
    } catch (error) {
      if (fullDiskText(error) !== null) throw error;
      troubles.push(thrownText(error));
    }
  }
  throw new Error(
    `The LiveKit server has no place to be stored (${troubles.join('; ')}). Set XDG_CACHE_HOME to a folder that you can write, or put livekit-server on the PATH.`,
  );
}

/**
 * Creates a file in an empty folder next to its target, and renames it to the target when it is complete. Then removes the
 * folder, and those of earlier killed processes. Concurrent processes need a lock, or one removes the other's folder.
 * @param make Gets the folder, and returns the path of the complete file in it.
 */
export async function makeWhole(target: string, make: (folder: string) => string | Promise<string>): Promise<void> {
  removeUnfinished(target);
  const folder = mkdtempSync(`${target}.`);
  try {
    const made = await make(folder);
    // Synced to disk before it gets its name, so that a power failure leaves no empty server.
    const file = openSync(made, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(made, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes the folders that killed processes have left next to their target; each is as large as a server. */
export function removeUnfinished(target: string): void {
  for (const entry of readdirSync(dirname(target), { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(`${basename(target)}.`)) continue;
    rmSync(join(dirname(target), entry.name), { recursive: true, force: true });
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
