import { join } from 'node:path';
import type { DatabaseOptions, DatabasePlace, OpenDatabase } from './database.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

/** Returns the place that the settings name: the server of `DATABASE_URL`, otherwise the folder `db` in the data folder. */
export function databasePlace(env: NodeJS.ProcessEnv, dataDir: string): DatabasePlace {
  return env.DATABASE_URL ? { kind: 'server', url: env.DATABASE_URL } : { kind: 'folder', folder: join(dataDir, 'db') };
}

/**
 * Opens a database and brings its tables up to date; several processes may do so at once on one server.
 * @throws With a sentence on what to do: a folder that another process has open, a server that cannot be reached or refuses. No
 * message holds a password.
 */
export function openDatabase(place: DatabasePlace, options: DatabaseOptions = {}): Promise<OpenDatabase> {
  return place.kind === 'server' ? openPostgres(place.url, options) : openPglite(place);
}
