import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { DatabasePlace } from '../../../src/control-service/db/database.ts';
import { pgliteImage } from './pglite-image.ts';
import type {} from './shared-postgres.ts';

export type DatabaseKind = 'PGlite' | 'PostgreSQL';

/** For `describe.each(DATABASES)('… on $database', ({ database }) => …)` with `startTestService({ database })`. */
export const DATABASES: { database: DatabaseKind }[] = [{ database: 'PGlite' }, { database: 'PostgreSQL' }];

/** Creates an empty database: in memory, or a new one on the server of this test run. */
export async function newDatabase(kind: DatabaseKind): Promise<DatabasePlace> {
  return kind === 'PGlite'
    ? { kind: 'memory', image: await pgliteImage() }
    : { kind: 'server', url: await newPostgresDatabase() };
}

/** Creates an empty database on the PostgreSQL server of this test run, and returns its URL. The database ends with the run. */
export async function newPostgresDatabase(): Promise<string> {
  const serverUrl = await askForServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs a statement over its own connection. */
export async function asAdmin(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function askForServer(): Promise<string> {
  const answer: { url?: string; trouble?: string } = JSON.parse(await text(connect(inject('postgresDesk'))));
  if (answer.url === undefined) throw new Error(answer.trouble);
  return answer.url;
}
