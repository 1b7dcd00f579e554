import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { takeProcessLock } from '../process-lock.ts';
import * as schema from './schema.ts';

/** The database as the service sees it; embedded or a server, drizzle's PostgreSQL either way. Transactions are one too. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** A database that this process holds open. */
export interface OpenDatabase {
  db: Database;
  /** Whether it answers. */
  isUp(): Promise<boolean>;
  close(): Promise<void>;
}

const MIGRATIONS_DIR = join(import.meta.dirname, '../migrations');

/**
 * Opens the embedded PostgreSQL in a folder, or in memory, and brings its tables up to date.
 * @param folder Null keeps everything in memory.
 * @throws When another process has the folder open (two at once would corrupt it); the message names that process.
 */
export async function openDatabase(folder: string | null): Promise<OpenDatabase> {
  const lock = folder === null ? null : takeProcessLock(`${folder}.lock`);
  if (lock && !('release' in lock)) {
    throw new Error(
      `The database in ${folder} is in use by process ${lock.holderPid}. Stop that one first; only one platform can use a data folder at a time.`,
    );
  }
  try {
    if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const client = await PGlite.create(folder === null ? {} : { dataDir: folder });
    const db = drizzle({ client, schema });
    await migrate(db, { migrationsFolder: MIGRATIONS_DIR });
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
