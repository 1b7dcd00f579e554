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
/**
 * The server cancels a statement, which may wait for a lock, before this side gives up on the server, and before a request gives
 * up on its operation.
 */
const STATEMENT_TIMEOUT_MS = 15_000;
const ANSWER_TIMEOUT_MS = 20_000;
/** A transaction may wait for the SFU. One that hangs beyond that time must not keep its locks. */
const IDLE_TRANSACTION_MS = 120_000;
/** Several instances that start at once bring the tables up to date one after the other. */
const MIGRATION_WAIT_MS = 60_000;
/** Any number, the same in every instance: the advisory lock under which tables are changed. */
const MIGRATION_LOCK = 7_261_031;

/**
 * Connects to a PostgreSQL server and brings its tables up to date.
 * @param url `postgresql://user:password@host:port/database`. A secret.
 * @throws With a sentence on what to do, without the password.
 */
export async function openPostgres(url: string, options: DatabaseOptions = {}): Promise<OpenDatabase> {
  const server = parseDatabaseUrl(url);
  try {
    await bringUpToDate(server);
  } catch (error) {
    // The error itself is not logged, because its contents are unknown.
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
  // Without a listener, a closed connection ends the process, even while a transaction waits for something else.
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

/**
 * Drizzle's own version loses a connection of the pool permanently when `begin` fails, as it does after a restart of the server.
 */
function transactionOver(pool: Pool): NodePgDatabase<typeof schema>['transaction'] {
  return async (run, config) => {
    const client = await pool.connect();
    try {
      return await drizzle({ client, schema }).transaction(run, config);
    } finally {
      // If even the rollback of a transaction fails, its connection must not be handed to the next one.
      client.release(client.getTransactionStatus() !== 'I');
    }
  };
}

async function bringUpToDate(server: Server): Promise<void> {
  const client = new Client({ ...connectionTo(server), lock_timeout: MIGRATION_WAIT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    // The lock ends with the connection, so it ends with the process too.
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
