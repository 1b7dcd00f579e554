import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client, type ClientConfig, Pool } from 'pg';
import type { DatabaseOptions, OpenDatabase } from './database.ts';
import { stateOf } from './database-state.ts';
import { MIGRATIONS_DIR } from './pglite.ts';
import { parseDatabaseUrl, type Server, serverTrouble } from './postgres-server.ts';
import * as schema from './schema.ts';

const POOL_SIZE = 10;
const APPLICATION = 'robot-control-service';
/** Time to connect, and to wait for a connection of the pool. */
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_CONNECTION_MS = 30_000;
/** The server gives up a statement, which may wait for another's lock, before this side gives up the server, and before a request gives up its operation. */
const STATEMENT_TIMEOUT_MS = 15_000;
const ANSWER_TIMEOUT_MS = 20_000;
/** A transaction may wait for the SFU; one that hangs for longer than it can must not hold its locks. */
const IDLE_TRANSACTION_MS = 120_000;
/** Several instances that start at once bring the tables up to date one after the other. */
const MIGRATION_WAIT_MS = 60_000;
/** Any number, the same in every instance: the advisory lock under which tables are changed. */
const MIGRATION_LOCK = 7_261_031;

/**
 * Connects to a PostgreSQL server and brings its tables up to date.
 * @param url `postgresql://user:password@host:port/database`. A secret.
 * @throws With a sentence on what to do; without the password.
 */
export async function openPostgres(url: string, options: DatabaseOptions = {}): Promise<OpenDatabase> {
  const server = parseDatabaseUrl(url);
  try {
    await bringUpToDate(server);
  } catch (error) {
    // The error itself stays here, because its contents are unknown.
    throw new Error(serverTrouble(server, error));
  }
  const pool = new Pool({
    ...connectionTo(server),
    max: options.poolSize ?? POOL_SIZE,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  });
  // Without a listener, the end of a connection ends the process, also while a transaction waits for something else.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) => options.onTrouble?.(serverTrouble(server, error)));
  const db = drizzle({ client: pool, schema });
  db.transaction = transactionOver(pool);
  return {
    db,
    state: stateOf(db),
    close: () => pool.end(),
  };
}

/** Drizzle's own loses a connection of the pool for ever when `begin` fails, as it does after the server was restarted. */
function transactionOver(pool: Pool): NodePgDatabase<typeof schema>['transaction'] {
  return async (run, config) => {
    const client = await pool.connect();
    try {
      return await drizzle({ client, schema }).transaction(run, config);
    } finally {
      // A transaction that could not even be rolled back must not be handed to the next.
      client.release(client.getTransactionStatus() !== 'I');
    }
  };
}

async function bringUpToDate(server: Server): Promise<void> {
  const client = new Client({ ...connectionTo(server), lock_timeout: MIGRATION_WAIT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    // It ends with the connection, so with the process too.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle({ client }), { migrationsFolder: MIGRATIONS_DIR });
  } finally {
    await client.end();
  }
}

const connectionTo = (server: Server): ClientConfig => ({
  connectionString: server.url,
  application_name: APPLICATION,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
});
