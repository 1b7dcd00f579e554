import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { thrownCode, thrownText } from '../thrown.ts';
import { DurableFiles } from './durable-files.ts';
import { writeEmptyDatabase } from './empty-database.ts';

/**
 * The parameters with which PGlite itself starts PostgreSQL, but with fsync: committed data is on the disk before the commit is
 * reported. Emscripten ignores fdatasync, PostgreSQL's own choice for its log, and reads files into memory where PostgreSQL means
 * prefetch hints. The buffers are memory that is allocated all at once. The system caches often-read data anyway, and a service's
 * records are a few megabytes.
 */
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['fsync=on', 'wal_sync_method=fsync', 'checkpoint_flush_after=0', 'backend_flush_after=0', 'shared_buffers=8MB'].flatMap(
    (set) => ['-c', set],
  ),
];
const FSYNCS_AT_ONCE = 8;

/** A database that is open. */
export interface Opened {
  client: PGlite;
  /** Returns a sentence on why its first use failed. */
  explain: (error: unknown) => Error;
}

/** States the facts and what to do. */
class OpenTrouble extends Error {}

/**
 * Returns the real path of a folder behind all links, so that each database has one lock. Creates missing folders above it.
 * @throws With a sentence on what to do, if a link leads nowhere
 */
export function realFolder(folder: string): string {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    return join(realpathSync(dirname(folder)), basename(folder));
  }
  try {
    return realpathSync(folder);
  } catch (error) {
    throw new OpenTrouble(
      `The folder ${folder} is a link that leads to no folder (${thrownCode(error) ?? thrownText(error)}). Mount the disk or make the folder that it names, or remove the link to start again with an empty database.`,
    );
  }
}

/**
 * Opens PGlite in a folder that no other process has open, in whatever state a kill has left it. Creates the folder if it is
 * missing.
 * @param image the result of `dumpDataDir` of another PGlite, to create a new one faster
 * @throws With a sentence on why and what to do
 */
export async function openFolder(folder: string, image: Blob | undefined): Promise<Opened> {
  if (!existsSync(join(folder, 'PG_VERSION'))) await makeFolder(folder, image);
  // A process that was killed left it, perhaps before it had written anything to it. No other process has the folder open, so the
  // file belongs to no living process.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
  keepToOwner(folder);
  return await start(folder);
}

/**
 * Creates a database next to its place and moves it there when it is complete: PGlite itself accepts half a database as a
 * database.
 */
async function makeFolder(folder: string, image: Blob | undefined): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new OpenTrouble(
      `The folder ${folder} is neither empty nor a database. Move it away, then start again, or name another data folder (SIMPLESIM_DATA_DIR).`,
    );
  }
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  try {
    await writeEmptyDatabase(unfinished, image);
    await bringToDisk(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    // A full disk has space again.
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  // The folder that contains it may be new as well.
  for (const above of [dirname(folder), dirname(dirname(folder))]) await fsyncOf(above);
}

function start(folder: string): Promise<Opened> {
  // Each thread that compiles PostgreSQL keeps some 20 MB permanently, and one thread is fast enough.
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  const files = new DurableFiles(folder);
  const started = PGlite.create({ fs: files, startParams: START_PARAMS });
  const explain = (error: unknown) => openTrouble(folder, files.diskTrouble ?? error, files.lastFatal);
  return started.then(
    (client) => ({ client, explain }),
    (error) => Promise.reject(explain(error)),
  );
}

/** Returns a sentence on why the database of a folder cannot be opened, and what to do. */
export function openTrouble(folder: string, error: unknown, lastFatal: string | null = null): Error {
  if (error instanceof OpenTrouble) return error;
  const database = `The database in ${folder} cannot be opened:`;
  const code = thrownCode(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new OpenTrouble(`${database} the disk is full. Free some space, then start again; nothing that was stored is lost.`);
    case 'EMFILE':
    case 'ENFILE':
      return new OpenTrouble(`${database} too many files are open. Raise the limit (ulimit -n), then start again.`);
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new OpenTrouble(
        `${database} its files cannot be read and written by this user (${code}). Give them to the user, or start as the one who made them.`,
      );
    case 'EBUSY':
    case 'EXDEV':
      return new OpenTrouble(
        `${database} the folder is a disk of its own (${code}), and a database is made beside its place. Name a folder on that disk as the data folder (SIMPLESIM_DATA_DIR).`,
      );
    default:
      break;
  }
  const said = (lastFatal ?? thrownText(error)).replace(/[.\s]*$/, '.');
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    return new OpenTrouble(
      `${database} ${said} None is there yet, and none can be made. Name another data folder (SIMPLESIM_DATA_DIR).`,
    );
  }
  return new OpenTrouble(
    `${database} ${said} Put a copy of the folder in its place that is whole, or move it away to start again with an empty one.`,
  );
}

/**
 * Restricts the files to their owner. Earlier versions made the files readable for all users, although only the owner could enter
 * the folder.
 */
function keepToOwner(folder: string): void {
  const isOwners = (path: string) => (lstatSync(path).mode & 0o077) === 0;
  if (isOwners(folder) && isOwners(join(folder, 'PG_VERSION'))) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // The target of a link is not part of this folder, and may belong to another user.
    if (entry.isSymbolicLink()) continue;
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

/** Syncs several files at a time: the disk then handles many at once. */
async function bringToDisk(folder: string): Promise<void> {
  const left = readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    join(parentPath, name),
  );
  const work = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await fsyncOf(path);
  };
  await Promise.all(Array.from({ length: FSYNCS_AT_ONCE }, work));
  await fsyncOf(folder);
}

async function fsyncOf(path: string): Promise<void> {
  // Windows has no fsync for folders, and persists their entries without it.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
