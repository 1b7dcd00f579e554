import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Database } from '../../../src/control-service/db/database.ts';
import type { DatabaseKind } from './databases.ts';

/** Ends a fault of a database. */
export type EndFault = () => Promise<void>;

/** The code with which PostgreSQL reports a full disk. */
const DISK_FULL = '53100';

/** Makes a table reject every write, as on a full disk; its rows can still be read. */
export async function refuseWrites(db: Database, table: string): Promise<EndFault> {
  const refuse = `begin raise exception 'No space left on device' using errcode = '${DISK_FULL}'; end`;
  await db.execute(sql.raw(`create or replace function refuse_writes() returns trigger language plpgsql as $$ ${refuse} $$`));
  await db.execute(sql.raw(`create trigger full_disk before insert or update on ${table} execute function refuse_writes()`));
  return async () => void (await db.execute(sql.raw(`drop trigger full_disk on ${table}`)));
}

/** Blocks every statement, including reads, like a server that is stopped or cut off. Other databases keep working. */
export async function silence(db: Database, kind: DatabaseKind): Promise<EndFault> {
  let wake = (): void => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  if (kind === 'PGlite') {
    const { $client } = db as Database & { $client: PGlite };
    const silent = $client.runExclusive(() => woken);
    return async () => {
      wake();
      await silent;
    };
  }
  const { $client } = db as Database & { $client: Pool };
  const client = await $client.connect();
  const tables = await client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
  await client.query('begin');
  await client.query(`lock table ${tables.rows.map(({ name }) => `"${name}"`).join(', ')} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}
