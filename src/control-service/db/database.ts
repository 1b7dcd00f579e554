import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';

/** The database as the service sees it; embedded or a server, drizzle's PostgreSQL either way. Transactions are one too. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** `up`: it takes writes. `read_only`: it answers, and takes none, on a full disk say. `down`: it does not answer. */
export type DatabaseState = 'up' | 'read_only' | 'down';

/** A database that this process holds open. */
export interface OpenDatabase {
  db: Database;
  /** Returns its state within 3 s. Never rejects. */
  state(): Promise<DatabaseState>;
  close(): Promise<void>;
}

/** The place of the data: only in this process, in a folder of this machine, or on a PostgreSQL server. */
export type DatabasePlace =
  /** `image` is the result of another one's `dumpDataDir` of PGlite; making a new database from it takes a tenth of the time. */
  | { kind: 'memory'; image?: Blob }
  | { kind: 'folder'; folder: string; image?: Blob }
  /** `url` is a secret: it holds the password. */
  | { kind: 'server'; url: string };

/** How to open a database. */
export interface DatabaseOptions {
  /** Connections to a server at most. @default 10 */
  poolSize?: number;
  /** Gets a sentence when a server ends a connection that was not in use. Holds no secret. */
  onTrouble?: (message: string) => void;
}
