import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createKey } from '../../src/control-service/accounts.ts';
import { createApp } from '../../src/control-service/app.ts';
import { systemClock } from '../../src/control-service/clock.ts';
import { databasePlace, openDatabase } from '../../src/control-service/db/open.ts';
import { accounts } from '../../src/control-service/db/schema.ts';
import { DEFAULT_SETTINGS, type LogEntry } from '../../src/control-service/deps.ts';
import { createService } from '../../src/control-service/service.ts';
import { asAdmin, newPostgresDatabase } from './helpers/databases.ts';
import { FakeSfu } from './helpers/fake-sfu.ts';
import { startPostgres } from './helpers/postgres.ts';

const PASSWORD = 'a%2Fsecret-of-mine';
const openServer = (url: string) => openDatabase({ kind: 'server', url });
const troubleOf = async (url: string): Promise<Error> => {
  const error: unknown = await openServer(url).then(
    (database) => database.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('The database opened.');
  return error;
};

it('DATABASE_URL names a server; without it the data folder holds the database', () => {
  expect(databasePlace({ DATABASE_URL: 'postgresql://h/d' }, '/data')).toEqual({ kind: 'server', url: 'postgresql://h/d' });
  expect(databasePlace({ DATABASE_URL: '' }, '/data')).toEqual({ kind: 'folder', folder: '/data/db' });
});

it('all instances that start at once on an empty server start, and the tables are made once', async () => {
  const url = await newPostgresDatabase();
  const instances = await Promise.all(Array.from({ length: 6 }, () => openServer(url)));
  expect(await Promise.all(instances.map((instance) => instance.state()))).toEqual(Array(6).fill('up'));
  const made = await asAdmin(
    url,
    'select count(*) = count(distinct hash) as once, count(*) > 0 as made from drizzle.__drizzle_migrations',
  );
  expect(made).toEqual([{ once: true, made: true }]);
  await Promise.all(instances.map((instance) => instance.close()));
});

it('a server that resets its connections fails the requests in progress, but not the service', async () => {
  const url = await newPostgresDatabase();
  const troubles: string[] = [];
  const database = await openDatabase({ kind: 'server', url }, { poolSize: 2, onTrouble: (message) => troubles.push(message) });
  const ends = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  // More requests than connections: none of them may be lost for ever.
  for (let round = 0; round < 5; round += 1) {
    const inTransaction = database.db.transaction(async (tx) => {
      await tx.select().from(accounts);
      await asAdmin(url, ends);
      return tx.select().from(accounts);
    });
    await expect(inTransaction).rejects.toThrow();
    await asAdmin(url, ends);
  }
  const id = randomBytes(8).toString('hex');
  await database.db.transaction((tx) => tx.insert(accounts).values({ id, name: 'after', createdAt: new Date() }));
  expect(await database.db.select({ id: accounts.id }).from(accounts)).toEqual([{ id }]);
  expect(troubles.join()).not.toContain(new URL(url).password);
  await database.close();
});

it.each([
  ['not a url', 'DATABASE_URL is not a URL'],
  [`postgresql://me:${PASSWORD}%@host/db`, 'DATABASE_URL is not a URL'],
  [`mysql://me:${PASSWORD}@host/db`, 'DATABASE_URL must begin with postgresql://'],
  [`postgresql://me:${PASSWORD}@host:5432`, 'DATABASE_URL names no database'],
  [`postgresql://me:${PASSWORD}@127.0.0.1:9/db`, 'Nothing answers at 127.0.0.1:9/db. Start the PostgreSQL server'],
  [`postgresql://me:${PASSWORD}@x/db?host=/nowhere`, 'Nothing answers at /nowhere/db.'],
  [`postgresql://me:${PASSWORD}@x/db?sslrootcert=/nowhere/ca.pem`, 'A file that DATABASE_URL names cannot be read'],
  [`postgresql://me:${PASSWORD}@no-such-host.invalid/db`, 'The host of no-such-host.invalid/db is not known.'],
])('%s: %s', async (url, sentence) => {
  const trouble = await troubleOf(url);
  expect(trouble.message).toContain(sentence);
  expect(JSON.stringify([trouble.message, trouble.stack, trouble.cause])).not.toMatch(/secret-of-mine/);
});

it('a wrong password and a missing database are reported as such, without the password', async () => {
  const wrong = new URL(await newPostgresDatabase());
  wrong.password = PASSWORD;
  expect((await troubleOf(wrong.href)).message).toMatch(/refuses the user or the password/);
  const missing = new URL(await newPostgresDatabase());
  missing.pathname = '/nothing_here';
  const trouble = await troubleOf(missing.href);
  expect(trouble.message).toContain('Make it (createdb nothing_here)');
  expect(trouble.stack).not.toContain(missing.password);
});

it('a user without the right to make tables is reported', async () => {
  const url = new URL(await newPostgresDatabase());
  const role = `guest_${url.pathname.slice(1)}`;
  await asAdmin(url.href, `create role ${role} login password 'guest-secret'`);
  url.username = role;
  url.password = 'guest-secret';
  const trouble = await troubleOf(url.href);
  expect(trouble.message).toContain('does not let this user make tables.');
  expect(trouble.stack).not.toContain('guest-secret');
});

it('a server that hangs up is reported as unusable', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const trouble = await troubleOf(`postgresql://me:${PASSWORD}@127.0.0.1:${port}/db`);
  expect(trouble.message).toContain(`The PostgreSQL server at 127.0.0.1:${port}/db cannot be used`);
  await new Promise((resolve) => server.close(resolve));
});

it('a server that disappears while the service runs is 503, and fails only the requests meanwhile', async () => {
  const server = await startPostgres();
  const place = { kind: 'server', url: server.url } as const;
  const database = await openDatabase(place, { poolSize: 2 });
  const log: LogEntry[] = [];
  const deps = createService({
    db: database.db,
    sfu: new FakeSfu(),
    clock: systemClock,
    randomBytes,
    log: (entry: LogEntry) => log.push(entry),
    settings: { ...DEFAULT_SETTINGS, pinHashCost: 4 },
  });
  const app = createApp(deps);
  const { key } = await createKey(deps, { account: 'a', name: 'a', expiresAt: null });
  const list = () => app.request('/v1/robots', { headers: { Authorization: `Bearer ${key}` } });
  expect((await list()).status).toBe(200);
  await server.stop();
  // More requests than connections.
  for (let i = 0; i < 4; i += 1) {
    const refused = await list();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'database.unavailable' });
  }
  expect(await database.state()).toBe('down');
  expect(JSON.stringify(log)).not.toContain(new URL(server.url).password);
  await database.close();
});
