import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ne } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { type ProcessLock, takeProcessLock } from '../process-lock.ts';
import type { DatabasePlace, OpenDatabase } from './database.ts';
import { stateOf } from './database-state.ts';
import { openFolder, openTrouble, realFolder } from './pglite-folder.ts';
import { keepParsers } from './pglite-parsers.ts';
import * as schema from './schema.ts';
import { sessions } from './schema.ts';

/** The folder of drizzle-kit's files for each change of the schema. */
export const MIGRATIONS_DIR = join(import.meta.dirname, '../migrations');

/**
 * Opens the embedded PostgreSQL in a folder, or in memory, and brings its tables up to date.
 * @throws If another process has the folder open (two at once would corrupt it); the message names that process.
 */
export async function openPglite(place: Exclude<DatabasePlace, { kind: 'server' }>): Promise<OpenDatabase> {
  if (place.kind === 'memory') {
    const client = await PGlite.create(place.image ? { loadDataDir: place.image } : {});
    return ready(client, () => client.close());
  }
  const { image } = place;
  let folder = place.folder;
  let explain = (error: unknown): Error => openTrouble(folder, error);
  let lock: ProcessLock | null = null;
  try {
    folder = realFolder(folder);
    const taken = takeProcessLock(`${folder}.lock`);
    if (!('release' in taken)) throw new FolderInUse(folder, taken.holderPid);
    lock = taken;
    const opened = await openFolder(folder, image);
    explain = opened.explain;
    const release = lock.release;
    return await ready(opened.client, async () => {
      await opened.client.close();
      release();
    });
  } catch (error) {
    lock?.release();
    throw error instanceof FolderInUse ? error : explain(error);
  }
}

class FolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(
      `The database in ${folder} is in use by process ${pid}. Stop that one first; only one platform can use a data folder at a time.`,
    );
  }
}

async function ready(client: PGlite, close: () => Promise<void>): Promise<OpenDatabase> {
  keepParsers(client);
  const db = drizzle({ client, schema });
  await migrate(db, { migrationsFolder: MIGRATIONS_DIR });
  // A request that was opening or closing a session when the process ended does not exist in this process.
  await db
    .update(sessions)
    .set({ phaseEndsAt: new Date(0) })
    .where(ne(sessions.phase, 'open'));
  return {
    db,
    state: stateOf(db),
    close,
  };
}
