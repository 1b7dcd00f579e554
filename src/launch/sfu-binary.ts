import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeProcessLock } from '../control-service/process-lock.ts';
import { fullDiskText, thrownText } from '../control-service/thrown.ts';
import type { DownloadLimits } from './download.ts';
import type { GoArchives } from './go-toolchain.ts';
import { IS_CLONE, PROJECT_DIR } from './installation.ts';
import type { OnProgress } from './output.ts';
import { buildSfu } from './sfu-build.ts';
import {
  cacheFiles,
  findProgram,
  firstWritable,
  homebrewFolders,
  isExecutable,
  makeWhole,
  pathFolders,
  SERVER,
} from './sfu-files.ts';
import { downloadsUrl, fetchRelease, type ReleaseArchives } from './sfu-release.ts';

const MODULE_DIR = join(PROJECT_DIR, 'sfu');

const WHAT_TO_DO =
  'Put livekit-server on the PATH, or install Go 1.26 or newer (https://go.dev/dl), or set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET for one that runs already.';

/** The dependencies of the search; tests replace them. */
export interface SfuSources {
  /** The clone's own cache. An installed package has none, and uses the user's cache. */
  cacheDir: string;
  /** The archives of `sfu/release.json`. */
  release: ReleaseArchives;
  /** The Go of `sfu/go-toolchain.json`. */
  go: GoArchives;
  limits: DownloadLimits;
}

/**
 * Returns the path of a LiveKit server, from the first of these: the PATH (on macOS also Homebrew's folders), the cache,
 * LiveKit's release, a build with Go. The last two go into the cache.
 * @param env Where PATH, HOME, XDG_CACHE_HOME, SIMPLESIM_SFU_DOWNLOADS and Go's settings are read.
 * @throws If all fail; the message names each reason and what to install.
 */
export async function findSfuBinary(
  env: NodeJS.ProcessEnv,
  onProgress: OnProgress,
  sources: Partial<SfuSources> = {},
): Promise<string> {
  const installed = findProgram(SERVER, [...pathFolders(env), ...homebrewFolders(env, process.platform)]);
  if (installed) return installed;
  // An installation with its own SFU may lack the files that name the version.
  const files = cacheFiles(pinnedVersion(), env, sources.cacheDir ?? (IS_CLONE ? join(PROJECT_DIR, '.cache/sfu') : null));
  const cached = files.find(isExecutable);
  if (cached) return cached;
  const target = firstWritable(files);
  await obtainOnce(target, env, onProgress, sources);
  const userFile = files.at(-1) ?? target;
  if (target !== userFile) await copyToUserCache(target, userFile);
  return target;
}

/** The LiveKit version that `sfu/go.mod` pins, e.g. `1.13.5`. */
export function pinnedVersion(): string {
  const found = /github\.com\/livekit\/livekit-server v([\w.+-]+)/.exec(readFileSync(join(MODULE_DIR, 'go.mod'), 'utf8'));
  if (!found?.[1]) throw new Error('sfu/go.mod does not name a version of github.com/livekit/livekit-server.');
  return found[1];
}

const pinned = (name: string): unknown => JSON.parse(readFileSync(join(MODULE_DIR, name), 'utf8'));

/** Obtains the server. If another process is obtaining it, this waits for that one. */
async function obtainOnce(
  target: string,
  env: NodeJS.ProcessEnv,
  onProgress: OnProgress,
  sources: Partial<SfuSources>,
): Promise<void> {
  for (let waited = false; ; waited = true) {
    const lock = takeProcessLock(`${target}.lock`);
    if ('release' in lock) {
      try {
        if (!isExecutable(target)) await makeWhole(target, (folder) => obtain(folder, env, onProgress, sources));
        return;
      } finally {
        lock.release();
      }
    }
    if (!waited) onProgress(`Waiting for process ${lock.holderPid}, which obtains the SFU`);
    await sleep(500);
  }
}

async function obtain(
  folder: string,
  env: NodeJS.ProcessEnv,
  onProgress: OnProgress,
  sources: Partial<SfuSources>,
): Promise<string> {
  const version = pinnedVersion();
  const baseUrl = downloadsUrl(env.SIMPLESIM_SFU_DOWNLOADS);
  const archives = sources.release ?? (pinned('release.json') as ReleaseArchives);
  let noRelease = '';
  try {
    return await fetchRelease({ version, archives, baseUrl, limits: sources.limits }, folder, onProgress);
  } catch (error) {
    if (fullDiskText(error) !== null) throw error;
    noRelease = thrownText(error);
    onProgress(noRelease);
  }
  const goArchives = sources.go ?? (pinned('go-toolchain.json') as GoArchives);
  return await buildSfu({ version, moduleDir: MODULE_DIR, goArchives }, folder, env, onProgress).catch((error: unknown) => {
    if (fullDiskText(error) !== null) throw error;
    throw new Error(`No LiveKit server can be found, downloaded or built. ${WHAT_TO_DO}\n${noRelease}\n${thrownText(error)}`);
  });
}

/** Saves the next clone the download. A failure of the user's cache, or another process that fills it, costs only that. */
async function copyToUserCache(from: string, to: string): Promise<void> {
  try {
    const lock = takeProcessLock(`${to}.lock`);
    if (!('release' in lock)) return;
    try {
      await makeWhole(to, (folder) => {
        const copy = join(folder, SERVER);
        copyFileSync(from, copy);
        return copy;
      });
    } finally {
      lock.release();
    }
  } catch {
    // The next clone downloads its own copy.
  }
}
