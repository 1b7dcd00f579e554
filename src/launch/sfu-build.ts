import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fullDiskText } from '../control-service/thrown.ts';
import { fetchGo, type GoArchives } from './go-toolchain.ts';
import type { OnProgress } from './output.ts';
import { EXE, findProgram, pathFolders, SERVER } from './sfu-files.ts';

const PACKAGE = 'github.com/livekit/livekit-server/cmd/server';
/** How often the build reports that it is still running. */
const PROGRESS_EVERY_MS = 5_000;

export interface Build {
  version: string;
  /** The folder of `go.mod`. */
  moduleDir: string;
  /** The Go that is fetched for the build if the PATH has none. */
  goArchives: GoArchives;
}

/**
 * Builds the SFU in a folder; takes about 100 s on two cores.
 * @param env Where PATH and the settings of Go are read.
 * @returns the path of the server
 * @throws With the reason: no Go and none to fetch, or the last lines of the build.
 */
export async function buildSfu(order: Build, folder: string, env: NodeJS.ProcessEnv, onProgress: OnProgress): Promise<string> {
  const installed = findProgram(`go${EXE}`, pathFolders(env));
  if (installed) return await build(installed, order, folder, env, onProgress);
  const go = await fetchGo(order.goArchives, join(folder, 'go'), env, onProgress);
  const own = {
    GOTOOLCHAIN: 'local',
    GOCACHE: join(folder, 'built'),
    GOPATH: join(folder, 'path'),
    GOMODCACHE: join(folder, 'modules'),
  };
  return await build(go, order, folder, { ...env, ...own }, onProgress);
}

async function build(go: string, order: Build, folder: string, env: NodeJS.ProcessEnv, onProgress: OnProgress): Promise<string> {
  onProgress(`Building the SFU (LiveKit server ${order.version}); the first time takes a minute or two`);
  const startedMs = performance.now();
  const server = join(folder, SERVER);
  // A cache of read-only modules could not be removed.
  const args = ['build', '-v', '-modcacherw', '-trimpath', '-ldflags=-s -w', '-o', server, PACKAGE];
  const child = spawn(go, args, { cwd: order.moduleDir, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const tail: string[] = [];
  let downloaded = 0;
  let compiled = 0;
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('go: downloading')) downloaded += 1;
    else compiled += 1;
    tail.push(line);
    if (tail.length > 15) tail.shift();
  });
  const elapsedS = (): number => Math.round((performance.now() - startedMs) / 1000);
  const timer = setInterval(() => {
    onProgress(`Building the SFU: ${downloaded} modules fetched, ${compiled} packages compiled, ${elapsedS()} s`, true);
  }, PROGRESS_EVERY_MS);
  try {
    const code = await new Promise<number | null>((done, fail) => {
      child.once('error', fail);
      child.once('close', done);
    });
    const full = fullDiskText(tail.join('\n'));
    if (code !== 0 && full !== null) throw new Error(`The SFU could not be built. ${full}`);
    if (code !== 0) throw new Error(`Go could not build the SFU. Output of Go:\n${tail.join('\n')}`);
    onProgress(`The SFU is built (${elapsedS()} s)`);
    return server;
  } finally {
    clearInterval(timer);
  }
}
