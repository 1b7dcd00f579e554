import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const PROJECT_DIR = join(import.meta.dirname, '../../..');
const CACHE_DIR = join(PROJECT_DIR, '.cache');

/**
 * An empty PGlite, made once and kept for the next runs: making one takes five seconds of a processor, which every file of tests would
 * pay. Tables are not in it: migrations run as ever.
 */
export async function pgliteImage(): Promise<Blob> {
  const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'));
  const path = join(CACHE_DIR, `pglite-${version}.tar`);
  if (!existsSync(path)) {
    const made = await PGlite.create();
    const image = await made.dumpDataDir('none');
    await made.close();
    mkdirSync(CACHE_DIR, { recursive: true });
    // Whole or not at all: others may be at it too.
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, Buffer.from(await image.arrayBuffer()));
    renameSync(unfinished, path);
  }
  return new Blob([readFileSync(path)]);
}

/** Makes an empty PGlite in a folder. */
export async function makePgliteFolder(folder: string): Promise<void> {
  const made = await PGlite.create({ dataDir: folder, loadDataDir: await pgliteImage() });
  await made.close();
}
