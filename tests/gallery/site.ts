/** The gallery as a site: built when one of its sources has changed, and served at a free port. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build, preview } from 'vite';
import { takeProcessLock } from '../../src/control-service/process-lock.ts';
import { PROJECT_DIR } from '../../src/launch/installation.ts';
import { isStale } from '../../src/launch/viewer-build.ts';

const OUT_DIR = join(PROJECT_DIR, '.cache/gallery');
const CONFIG_FILE = join(import.meta.dirname, 'vite.config.ts');
/** The sources of the gallery, besides the page. */
const OWN_SOURCES = ['tests/gallery', 'tests/ui/examples.ts', 'tests/ui/rcw-examples.ts', 'src/worker/robot'];

const isOld = (): boolean => isStale(PROJECT_DIR, OUT_DIR, OWN_SOURCES);

/** Builds the gallery unless its build is newer than its sources. Two processes that need it at once share a build. */
async function ensureBuilt(): Promise<void> {
  while (isOld()) {
    const lock = takeProcessLock(`${OUT_DIR}.lock`);
    if ('holderPid' in lock) {
      await sleep(100);
      continue;
    }
    try {
      if (!isOld()) return;
      // Built in a temporary folder, so that a page that loads meanwhile gets one complete build. The lock admits one builder.
      const fresh = `${OUT_DIR}-fresh`;
      await build({ configFile: CONFIG_FILE, logLevel: 'warn', build: { outDir: fresh } });
      rmSync(OUT_DIR, { recursive: true, force: true });
      renameSync(fresh, OUT_DIR);
    } finally {
      lock.release();
    }
  }
}

/** A served gallery. */
export interface GallerySite {
  url: string;
  stop(): Promise<void>;
}

/** Serves the gallery at a free port of this machine. */
export async function startGallery(): Promise<GallerySite> {
  await ensureBuilt();
  const server = await preview({
    configFile: false,
    root: PROJECT_DIR,
    logLevel: 'error',
    build: { outDir: OUT_DIR },
    preview: { port: 0, host: '127.0.0.1', open: false },
  });
  const url = server.resolvedUrls?.local[0];
  if (url === undefined) throw new Error('The gallery has no address.');
  return { url, stop: () => server.close() };
}
