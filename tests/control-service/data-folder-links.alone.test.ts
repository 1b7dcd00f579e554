/** A database behind a link is the same database: it opens, one process has it at a time, and files next to it stay untouched. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/control-service/db/open.ts';
import { openTrouble } from '../../src/control-service/db/pglite-folder.ts';
import { accounts } from '../../src/control-service/db/schema.ts';
import { pgliteImage } from './helpers/pglite-image.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'simplesim-links-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const open = async (folder: string) => openDatabase({ kind: 'folder', folder, image: await pgliteImage() });

it('a folder and all links to it are one database with one lock', async () => {
  const real = join(root, 'disk/db');
  mkdirSync(real, { recursive: true });
  const link = join(root, 'data/db');
  mkdirSync(join(root, 'data'));
  symlinkSync(real, link);
  symlinkSync(join(root, 'data'), join(root, 'other'));
  // The database was made through the link, in an empty folder.
  const first = await open(link);
  await first.db.insert(accounts).values({ id: 'a', name: 'lab', createdAt: new Date() });
  const inUse = `The database in ${real} is in use by process ${process.pid}.`;
  for (const way of [real, link, join(root, 'other/db')]) await expect(open(way), way).rejects.toThrow(inUse);
  await first.close();
  const again = await open(real);
  await expect(open(link)).rejects.toThrow(inUse);
  expect(await again.db.select({ name: accounts.name }).from(accounts)).toEqual([{ name: 'lab' }]);
  await again.close();
  expect(readdirSync(join(root, 'data'))).toEqual(['db']);
});

it('a link that leads nowhere, or in a circle, is reported, and no folder is made at its target', async () => {
  symlinkSync(join(root, 'unmounted/db'), join(root, 'lost'));
  symlinkSync(join(root, 'circle'), join(root, 'circle'));
  await expect(open(join(root, 'lost'))).rejects.toThrow(/lost is a link that leads to no folder \(ENOENT\)\. Mount the disk/);
  await expect(open(join(root, 'circle'))).rejects.toThrow(/circle is a link that leads to no folder \(ELOOP\)/);
  expect(readdirSync(root).sort()).toEqual(['circle', 'lost']);
});

it('targets of links in a data folder keep their mode', async () => {
  const folder = join(root, 'db');
  await (await open(folder)).close();
  const others = join(root, 'letter.txt');
  writeFileSync(others, 'dear', { mode: 0o644 });
  chmodSync(others, 0o644);
  symlinkSync(others, join(folder, 'letter'));
  // The mode that earlier versions set.
  for (const name of ['PG_VERSION', 'pg_hba.conf']) chmodSync(join(folder, name), 0o666);
  await (await open(folder)).close();
  expect(statSync(others).mode & 0o777).toBe(0o644);
  expect(statSync(join(folder, 'pg_hba.conf')).mode & 0o777).toBe(0o600);
});

it.each([
  ['PGlite’s file system', { name: 'ErrnoError', errno: 44 }, 'A file cannot be used (ENOENT).'],
  ['one with an unknown number', { errno: 999 }, 'A file cannot be used (999).'],
  [
    'a program that ends',
    { name: 'ExitStatus', message: 'Program terminated with exit(1)', status: 1 },
    'terminated with exit(1).',
  ],
  ['a text', 'no luck', 'no luck.'],
  ['nothing', undefined, 'It failed without a reason.'],
  ['something', { a: 1 }, 'It failed without a reason.'],
])('an error thrown by %s is reported as a readable sentence', (_, thrown, text) => {
  const { message } = openTrouble('/data/db', thrown);
  expect(message).toContain(text);
  expect(message).not.toContain('[object');
});
