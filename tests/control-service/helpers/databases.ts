import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { DatabasePlace } from '../../../src/control-service/db/open.ts';
import type {} from './shared-postgres.ts';

const PROJECT_DIR = join(import.meta.dirname, '../../..');
const CACHE_DIR = join(PROJECT_DIR, '.cache');

export type DatabaseKind = 'PGlite' | 'PostgreSQL';

/** For `describe.each(DATABASES)('… on $database', ({ database }) => …)` with `startTestService({ database })`. */
export const DATABASES: { database: DatabaseKind }[] = [{ database: 'PGlite' }, { database: 'PostgreSQL' }];

/** An empty database: in memory, or a new one on the server of this test run. */
export async function newDatabase(kind: DatabaseKind): Promise<DatabasePlace> {
  return kind === 'PGlite'
    ? { kind: 'memory', image: await pgliteImage() }
    : { kind: 'server', url: await newPostgresDatabase() };
}

/**
 * An empty PGlite, made once and kept for the next runs: making one takes five seconds of a processor, which every file of tests would
 * pay. Tables are not in it: migrations run as ever.
 */
async function pgliteImage(): Promise<Blob> {
  const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'));
  const path = join(CACHE_DIR, `pglite-${version}.tar`);
  if (!existsSync(path)) {
    const made = await PGlite.create();
    const image = await made.dumpDataDir('none');
    await made.close();
    mkdirSync(CACHE_DIR, { recursive: true });
    // Whole or not at all: others may be at it too.
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, Buffer.from(await image.arrayBuffer()));
    renameSync(unfinished, path);
  }
  return new Blob([readFileSync(path)]);
}

/** The URL of a new, empty database on the PostgreSQL server of this test run. It ends with the run. */
export async function newPostgresDatabase(): Promise<string> {
  const serverUrl = await askForServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs a statement over a connection of its own. */
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
