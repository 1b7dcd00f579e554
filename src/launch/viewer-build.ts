import { fork } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeProcessLock } from '../control-service/process-lock.ts';
import { programBeside } from '../control-service/program-beside.ts';
import { fullDiskText, thrownCode } from '../control-service/thrown.ts';
import { PROJECT_DIR } from './installation.ts';

export const DIST_DIR = join(PROJECT_DIR, 'dist');
const CACHE_DIR = join(PROJECT_DIR, '.cache');
/** The sources of the page; a newer file among these makes the build stale. */
const SOURCES = [
  'index.html',
  'robots.html',
  'replay.html',
  'agent.html',
  'README.md',
  'CONTRIBUTING.md',
  'docs',
  'vite.config.ts',
  'scripts/vite',
  'src/launch/page-policy.ts',
  'package-lock.json',
  'public',
  'scenes',
  ...['protocol', 'simulation', 'runtime', 'tasks', 'stage', 'cameras', 'room', 'viewer'].map((room) => `src/${room}`),
];

/** The report of the build process: null if the viewer is built, otherwise the problem. */
export type BuildOutcome = { trouble: string | null };

/** Builds the viewer into `dist/` unless the build there is newer than all its sources. */
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
  // Next to its place, so that it can be swapped: `.cache` may be another disk.
  const fresh = `${DIST_DIR}-${process.pid}`;
  const old = `${fresh}-old`;
  removeLitter(PROJECT_DIR);
  try {
    const trouble = await buildElsewhere(fresh);
    if (trouble !== null) throw new Error(`The viewer could not be built. ${fullDiskText(trouble) ?? trouble}`);
    // Swapped as a whole: a server of the folder finds either the old page or the new one.
    if (existsSync(DIST_DIR)) moveAway(old);
    renameSync(fresh, DIST_DIR);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  onProgress(`The viewer is built (${Math.round((performance.now() - startedMs) / 1000)} s)`);
}

function moveAway(old: string): void {
  try {
    renameSync(DIST_DIR, old);
  } catch (error) {
    const code = thrownCode(error);
    if (code !== 'EBUSY' && code !== 'EXDEV') throw error;
    throw new Error(
      `The new viewer cannot take its place: ${DIST_DIR} is a disk of its own (${code}). Unmount it, then start again.`,
    );
  }
}

/** Removes files that killed builds have left. The caller has the lock, so no build is running. */
export function removeLitter(projectDir: string): void {
  for (const name of readdirSync(projectDir)) {
    if (/^dist-\d+(?:-old)?$/.test(name)) rmSync(join(projectDir, name), { recursive: true, force: true });
  }
}

/** @returns the problem, or null if the viewer is built */
function buildElsewhere(outDir: string): Promise<string | null> {
  const { file, execArgv } = programBeside(import.meta.url, 'viewer-build-process');
  const child = fork(file, [outDir], {
    execArgv,
    cwd: PROJECT_DIR,
    // Under another NODE_ENV, which a test runner sets, the page would contain React's development build.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let reported: BuildOutcome | null = null;
  child.once('message', (outcome: BuildOutcome) => {
    reported = outcome;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(
        reported === null
          ? `The process that builds it ended (${signal ?? `code ${code}`}). If memory is short, free some, then start again.`
          : reported.trouble,
      ),
    );
  });
}

/**
 * Returns whether a source of the page has changed since its build began, which is the modification time of the built page. A
 * package has no sources.
 * @param others sources of a build in addition to those of the page
 */
export function isStale(projectDir = PROJECT_DIR, distDir = DIST_DIR, others: readonly string[] = []): boolean {
  const page = join(distDir, 'index.html');
  if (!existsSync(page)) return true;
  if (!existsSync(join(projectDir, 'src'))) return false;
  const builtFromMs = statSync(page).mtimeMs;
  return [...SOURCES, ...others].some((source) => newestMs(join(projectDir, source)) >= builtFromMs);
}

function newestMs(path: string): number {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // The folder's own time counts too: a removed file leaves no other trace.
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestMs(join(path, name))), stat.mtimeMs);
}
