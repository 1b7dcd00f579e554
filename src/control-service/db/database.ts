import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';

/** The database as the service sees it: drizzle's PostgreSQL, embedded or on a server. A transaction is such a database too. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/**
 * `up`: it accepts writes. `read_only`: it answers but accepts no writes, for example on a full disk. `down`: it does not answer.
 */
export type DatabaseState = 'up' | 'read_only' | 'down';

/** A database that this process holds open. */
export interface OpenDatabase {
  db: Database;
  /** Returns its state within 3 s. Never rejects. */
  state(): Promise<DatabaseState>;
  close(): Promise<void>;
}

/** The place of the data: in this process only, in a folder of this machine, or on a PostgreSQL server. */
export type DatabasePlace =
  /** `image` is the result of `dumpDataDir` of another PGlite; a new database from it takes a tenth of the time. */
  | { kind: 'memory'; image?: Blob }
  | { kind: 'folder'; folder: string; image?: Blob }
  /** `url` is a secret, because it contains the password. */
  | { kind: 'server'; url: string };

/** How to open a database. */
export interface DatabaseOptions {
  /** The most connections to a server. @default 10 */
  poolSize?: number;
  /** Receives a sentence when a server closes an idle connection. The sentence contains no secret. */
  onTrouble?: (message: string) => void;
}
