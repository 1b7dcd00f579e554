import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { writeEmptyDatabase } from '../../../src/control-service/db/empty-database.ts';

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

/** Lays the database of a service that was never used into its data folder, for tests that are not about its making. */
export async function layDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'db');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeEmptyDatabase(folder, await pgliteImage());
}
