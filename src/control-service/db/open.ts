import { join } from 'node:path';
import type { DatabaseOptions, DatabasePlace, OpenDatabase } from './database.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

/** Returns the place that the settings name: the server of `DATABASE_URL`, otherwise the folder `db` in the data folder. */
export function databasePlace(env: NodeJS.ProcessEnv, dataDir: string): DatabasePlace {
  return env.DATABASE_URL ? { kind: 'server', url: env.DATABASE_URL } : { kind: 'folder', folder: join(dataDir, 'db') };
}

/**
 * Opens a database and brings its tables up to date. Several processes may do so at once on one server.
 * @throws With a sentence on what to do: if another process has the folder open, or the server is unreachable or rejects the
 * connection. No message contains a password.
 */
export function openDatabase(place: DatabasePlace, options: DatabaseOptions = {}): Promise<OpenDatabase> {
  return place.kind === 'server' ? openPostgres(place.url, options) : openPglite(place);
}
