/** Finds a Redis server for the test of a fleet, or installs the system's package (`npx tsx scripts/ensure-redis.ts`). */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const PLACES = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * Path of `redis-server`: `SIMPLESIM_REDIS`, or one of the PATH.
 * @returns null when there is none.
 */
export function findRedis(): string | null {
  const named = process.env.SIMPLESIM_REDIS;
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...PLACES];
  const candidates = named ? [named] : folders.map((folder) => join(folder, 'redis-server'));
  return candidates.find(isExecutable) ?? null;
}

/**
 * As {@link findRedis}, installing the package when there is none.
 * @throws Error with what to install by hand.
 */
export function ensureRedis(log: (line: string) => void): string {
  const found = findRedis();
  if (found) return found;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0) {
    log('No Redis here yet; installing the system package redis-server.');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 300_000 });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], {
      stdio: 'ignore',
      timeout: 600_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const installed = findRedis();
    if (installed) return installed;
  }
  throw new Error(
    'The test of a fleet needs Redis. Install it (Debian: apt-get install redis-server) or name the program in SIMPLESIM_REDIS.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === import.meta.filename) console.log(ensureRedis((line) => console.log(line)));
