import { execFile, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findPostgres } from '../../../scripts/ensure-postgres.ts';

/** A PostgreSQL server for one test. */
export interface TestPostgres {
  /** The address of the database `postgres`, for its superuser. */
  readonly url: string;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** Settings for speed: the data need not outlive a test, so nothing needs to reach a disk. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'shared_buffers=32MB', 'max_connections=300'];
/** Keeps the server running while its standard input is open, that is, until the test or its whole process ends in any way. */
const KEEPER = '"$@" & server=$!; read -r _; kill -INT "$server"; wait "$server"; rm -rf "$FOLDER"';
const STARTED = /ready to accept connections/;
const FAILED = /FATAL|PANIC|could not/;

/**
 * Starts a server in a temporary folder, reached by a socket in it with a password. It ends with this process at the latest.
 * @throws if PostgreSQL is not installed, or does not start; the message contains its output
 */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = findPostgres();
  if (bin === null) throw new Error('PostgreSQL is not installed. Install it: npx tsx scripts/ensure-postgres.ts');
  const password = randomBytes(12).toString('base64url');
  const folder = mkdtempSync(join(tmpdir(), 'simplesim-pg-'));
  const user = ordinaryUser();
  const options: SpawnOptions = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', FOLDER: folder }, ...user };
  try {
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
    const data = join(folder, 'data');
    const cluster = ['-D', data, '-U', 'tests', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--no-sync'];
    await promisify(execFile)(join(bin, 'initdb'), cluster, options);
    const place = ['-D', data, '-k', folder, '-c', 'listen_addresses='];
    const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
    const keeper = spawn('sh', ['-c', KEEPER, 'sh', join(bin, 'postgres'), ...place, ...settings], {
      ...options,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const ended = new Promise<void>((resolve) => keeper.once('exit', () => resolve()));
    const stop = async (): Promise<void> => {
      keeper.stdin?.end();
      await ended;
    };
    try {
      if (!keeper.stderr) throw new Error('The server has no log.');
      await untilStarted(keeper.stderr);
    } catch (error) {
      await stop();
      throw error;
    }
    return { url: `postgresql://tests:${password}@localhost/postgres?host=${encodeURIComponent(folder)}`, stop };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Finds another system user if the tests run as root, because PostgreSQL does not run as root. */
function ordinaryUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      const idOf = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: idOf('-u'), gid: idOf('-g') };
    } catch {
      // This user does not exist; try the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.');
}

function untilStarted(log: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    // The output is read to the end, because the server blocks when the pipe is full.
    const reader = createInterface({ input: log });
    reader.on('line', (line) => {
      lines.push(line);
      if (STARTED.test(line)) resolve();
      else if (FAILED.test(line)) reject(new Error(`PostgreSQL did not start:\n${lines.join('\n')}`));
      if (lines.length > 100) lines.shift();
    });
    reader.on('close', () => reject(new Error(`PostgreSQL ended:\n${lines.join('\n')}`)));
  });
}
