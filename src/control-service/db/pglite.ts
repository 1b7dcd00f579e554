import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ne, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { takeProcessLock } from '../process-lock.ts';
import type { DatabasePlace, OpenDatabase } from './open.ts';
import * as schema from './schema.ts';
import { sessions } from './schema.ts';

/** What drizzle-kit wrote for each change of the schema. */
export const MIGRATIONS_DIR = join(import.meta.dirname, '../migrations');

/**
 * Opens the embedded PostgreSQL in a folder, or in memory, and brings its tables up to date.
 * @throws When another process has the folder open (two at once would corrupt it); the message names that process.
 */
export async function openPglite(place: Exclude<DatabasePlace, { kind: 'server' }>): Promise<OpenDatabase> {
  const folder = place.kind === 'folder' ? place.folder : null;
  const lock = folder === null ? null : takeProcessLock(`${folder}.lock`);
  if (lock && !('release' in lock)) {
    throw new Error(
      `The database in ${folder} is in use by process ${lock.holderPid}. Stop that one first; only one platform can use a data folder at a time.`,
    );
  }
  try {
    if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const client = await PGlite.create({
      ...(folder === null ? {} : { dataDir: folder }),
      ...('image' in place && place.image ? { loadDataDir: place.image } : {}),
    });
    const db = drizzle({ client, schema });
    await migrate(db, { migrationsFolder: MIGRATIONS_DIR });
    // Whoever was about to open or close a session had this folder before, and is gone.
    await db
      .update(sessions)
      .set({ phaseEndsAt: new Date(0) })
      .where(ne(sessions.phase, 'open'));
    return {
      db,
      isUp: async () => {
        await db.execute(sql`select 1`);
        return true;
      },
      close: async () => {
        await client.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}
