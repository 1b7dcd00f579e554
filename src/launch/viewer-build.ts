import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { takeProcessLock } from '../control-service/process-lock.ts';

export const PROJECT_DIR = resolve(import.meta.dirname, '../..');
export const DIST_DIR = join(PROJECT_DIR, 'dist');
const CACHE_DIR = join(PROJECT_DIR, '.cache');
/** What the page is made of; a file of these that is newer than the build makes it stale. */
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'scripts/vite',
  'src/launch/page-policy.ts',
  'package-lock.json',
  'public',
  ...['protocol', 'simulation', 'runtime', 'stage', 'cameras', 'room', 'viewer'].map((room) => `src/${room}`),
];

/** Builds the viewer into `dist/` unless the build there is newer than everything it is made of. */
export async function ensureViewerBuilt(onProgress: (line: string) => void): Promise<void> {
  for (let waited = false; isStale(); waited = true) {
    const lock = takeProcessLock(join(CACHE_DIR, 'viewer-build.lock'));
    if ('release' in lock) {
      try {
        // Another process may have built it just before the lock was free.
        if (isStale()) await build(onProgress);
        return;
      } finally {
        lock.release();
      }
    }
    if (!waited) onProgress(`Waiting for the viewer that process ${lock.holderPid} is building`);
    await sleep(200);
  }
}

async function build(onProgress: (line: string) => void): Promise<void> {
  onProgress('Building the viewer');
  const startedMs = performance.now();
  const fresh = join(CACHE_DIR, `dist-${process.pid}`);
  const old = `${fresh}-old`;
  try {
    const vite = await import('vite');
    await vite.build({ root: PROJECT_DIR, logLevel: 'error', build: { outDir: fresh, emptyOutDir: true } });
    // Swapped whole: whoever serves the folder meets either the old page or the new one.
    if (existsSync(DIST_DIR)) renameSync(DIST_DIR, old);
    renameSync(fresh, DIST_DIR);
  } catch (error) {
    const said = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
    throw new Error(`The viewer could not be built. ${said}`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  onProgress(`The viewer is built (${Math.round((performance.now() - startedMs) / 1000)} s)`);
}

function isStale(): boolean {
  const page = join(DIST_DIR, 'index.html');
  if (!existsSync(page)) return true;
  const builtMs = statSync(page).mtimeMs;
  return SOURCES.some((source) => newestMs(join(PROJECT_DIR, source)) > builtMs);
}

function newestMs(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // The folder's own time counts too: a file that is gone leaves no other trace.
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestMs(join(path, name))), stat.mtimeMs);
}
