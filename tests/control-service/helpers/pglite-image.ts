import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { writeEmptyDatabase } from '../../../src/control-service/db/empty-database.ts';

const PROJECT_DIR = join(import.meta.dirname, '../../..');
const CACHE_DIR = join(PROJECT_DIR, '.cache');

/**
 * An empty PGlite, made once and kept for the next runs: making one takes 5 s of processor time, which every test file
 * would need. It contains no tables, so migrations run as usual.
 */
export async function pgliteImage(): Promise<Blob> {
  const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'));
  const path = join(CACHE_DIR, `pglite-${version}.tar`);
  if (!existsSync(path)) {
    const made = await PGlite.create();
    const image = await made.dumpDataDir('none');
    await made.close();
    mkdirSync(CACHE_DIR, { recursive: true });
    // Renamed in one step, because other processes may make it too.
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

/** Copies the database of an unused service into its data folder, for tests that are not about making a database. */
export async function layDatabase(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'db');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeEmptyDatabase(folder, await pgliteImage());
}
