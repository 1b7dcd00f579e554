import { spawn } from 'node:child_process';
import { accessSync, constants, copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeProcessLock } from '../control-service/process-lock.ts';
import { fullDiskText } from '../control-service/thrown.ts';
import { fetchGo, type GoArchives } from './go-toolchain.ts';

const PROJECT_DIR = resolve(import.meta.dirname, '../..');
const MODULE_DIR = join(PROJECT_DIR, 'sfu');
const PACKAGE = 'github.com/livekit/livekit-server/cmd/server';
const EXE = process.platform === 'win32' ? '.exe' : '';
/** How often the build says that it is still at it. */
const PROGRESS_EVERY_MS = 5_000;

const WHAT_TO_DO =
  'Install Go 1.26 or newer (https://go.dev/dl), or put livekit-server on the PATH, or set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET for one that runs already.';

/**
 * The path of a LiveKit server: `livekit-server` on the PATH, else our build in the cache, else a fresh build with Go; where there is no Go,
 * one is fetched for the build, and removed afterwards.
 * @param env Where PATH, HOME and XDG_CACHE_HOME are read.
 * @param onProgress Gets a sentence now and then while it builds (about a minute and a half on two cores).
 * @param projectCacheDir The project's own cache of builds.
 * @param goArchives The Go to fetch. @default the pinned one
 * @throws When there is none and none can be built; the message says why, and what to install.
 */
export async function findSfuBinary(
  env: NodeJS.ProcessEnv,
  onProgress: (line: string) => void,
  projectCacheDir = join(PROJECT_DIR, '.cache/sfu'),
  goArchives?: GoArchives,
): Promise<string> {
  const onPath = findOnPath(`livekit-server${EXE}`, env);
  if (onPath) return onPath;
  const version = pinnedVersion();
  const [projectFile, userFile] = cacheFiles(version, env, projectCacheDir);
  const cached = [projectFile, userFile].find(isExecutable);
  if (cached) return cached;
  // An installation with an SFU of its own has nothing to build one from.
  await buildOnce(projectFile, { version, env, onProgress, goArchives: goArchives ?? pinnedGo() });
  copyToUserCache(projectFile, userFile);
  return projectFile;
}

/** The Go that `sfu/go-toolchain.json` names. */
const pinnedGo = (): GoArchives => JSON.parse(readFileSync(join(MODULE_DIR, 'go-toolchain.json'), 'utf8')) as GoArchives;

/** The LiveKit version that `sfu/go.mod` pins, e.g. `1.13.5`. */
export function pinnedVersion(): string {
  const found = /github\.com\/livekit\/livekit-server v([\w.+-]+)/.exec(readFileSync(join(MODULE_DIR, 'go.mod'), 'utf8'));
  if (!found?.[1]) throw new Error('sfu/go.mod does not name a version of github.com/livekit/livekit-server.');
  return found[1];
}

function cacheFiles(version: string, env: NodeJS.ProcessEnv, projectCacheDir: string): [project: string, user: string] {
  const key = `sfu-${version}-${process.platform}-${process.arch}`;
  const userCache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  // The user's cache saves a second clone the build.
  return [join(projectCacheDir, key, `livekit-server${EXE}`), join(userCache, 'simplesim', key, `livekit-server${EXE}`)];
}

interface Build {
  version: string;
  env: NodeJS.ProcessEnv;
  onProgress: (line: string) => void;
  goArchives: GoArchives;
}

/** Builds, unless another process is building the same: then waits for that one. */
async function buildOnce(target: string, order: Build): Promise<void> {
  mkdirSync(dirname(target), { recursive: true });
  for (let waited = false; ; waited = true) {
    const lock = takeProcessLock(`${target}.lock`);
    if ('release' in lock) {
      try {
        removeUnfinished(target);
        if (!isExecutable(target)) await buildWithAnyGo(target, order);
        return;
      } finally {
        lock.release();
      }
    }
    if (!waited) order.onProgress(`Waiting for the SFU that process ${lock.holderPid} is building`);
    await sleep(500);
  }
}

/** Removes the files that killed builds have left beside their target; each is as large as a server. */
export function removeUnfinished(target: string): void {
  for (const name of readdirSync(dirname(target))) {
    if (name.startsWith(`${basename(target)}.`) && /\.\d+$/.test(name)) rmSync(join(dirname(target), name), { force: true });
  }
}

async function buildWithAnyGo(target: string, order: Build): Promise<void> {
  if (findOnPath(`go${EXE}`, order.env)) return build(`go${EXE}`, target, order);
  // Beside the target, where there is room for it; the files of a killed build are removed too.
  const folder = `${target}.go`;
  rmSync(folder, { recursive: true, force: true });
  try {
    const go = await fetchGo(order.goArchives, folder, order.env, order.onProgress).catch((error: Error) => {
      if (fullDiskText(error) !== null) throw error;
      throw new Error(`There is no LiveKit server on this machine and no Go to build it with. ${error.message} ${WHAT_TO_DO}`);
    });
    const own = {
      GOTOOLCHAIN: 'local',
      GOCACHE: join(folder, 'built'),
      GOPATH: join(folder, 'path'),
      GOMODCACHE: join(folder, 'modules'),
    };
    await build(go, target, { ...order, env: { ...order.env, ...own } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function build(go: string, target: string, { version, env, onProgress }: Build): Promise<void> {
  onProgress(`Building the SFU (LiveKit server ${version}); the first time takes a minute or two`);
  const startedMs = performance.now();
  const unfinished = `${target}.${process.pid}`;
  // A cache of modules without write permission could not be removed.
  const args = ['build', '-v', '-modcacherw', '-trimpath', '-ldflags=-s -w', '-o', unfinished, PACKAGE];
  const child = spawn(go, args, { cwd: MODULE_DIR, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const tail: string[] = [];
  let downloaded = 0;
  let compiled = 0;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('go: downloading')) downloaded += 1;
    else compiled += 1;
    tail.push(line);
    if (tail.length > 15) tail.shift();
  });
  const timer = setInterval(() => {
    const elapsedS = Math.round((performance.now() - startedMs) / 1000);
    onProgress(`Building the SFU: ${downloaded} modules fetched, ${compiled} packages compiled, ${elapsedS} s`);
  }, PROGRESS_EVERY_MS);
  try {
    const code = await new Promise<number | null>((done, fail) => {
      child.once('error', fail);
      child.once('close', done);
    });
    const full = fullDiskText(tail.join('\n'));
    if (code !== 0 && full !== null) throw new Error(`The SFU could not be built. ${full}`);
    if (code !== 0) throw new Error(`Go could not build the SFU. ${WHAT_TO_DO} Go said:\n${tail.join('\n')}`);
    // Renamed when complete, so that nobody ever starts half a file.
    renameSync(unfinished, target);
    onProgress(`The SFU is built (${Math.round((performance.now() - startedMs) / 1000)} s)`);
  } finally {
    clearInterval(timer);
    rmSync(unfinished, { force: true });
  }
}

function copyToUserCache(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  try {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, unfinished);
    renameSync(unfinished, to);
  } catch {
    // When the home cannot be written to, the next clone must build; nothing else is lost.
    rmSync(unfinished, { force: true });
  }
}

function findOnPath(name: string, env: NodeJS.ProcessEnv): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
