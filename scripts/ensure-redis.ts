/** Finds a Redis server for the test of a fleet, or installs the system's package (`npx tsx scripts/ensure-redis.ts`). */
import { delimiter, join } from 'node:path';
import { isExecutable } from '../src/headless/pictures/find-browser.ts';
import { installSystemPackage } from './system-package.ts';

const PLACES = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Returns the path of `redis-server`: `SIMPLESIM_REDIS`, or one of the PATH. @returns null if there is none. */
export function findRedis(): string | null {
  const named = process.env.SIMPLESIM_REDIS;
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...PLACES];
  const candidates = named ? [named] : folders.map((folder) => join(folder, 'redis-server'));
  return candidates.find(isExecutable) ?? null;
}

/** Same as {@link findRedis}, but installs the package if it is missing. @throws Error with what to install by hand. */
export function ensureRedis(log: (line: string) => void): string {
  const found = findRedis();
  if (found) return found;
  installSystemPackage('redis-server', 'Redis is missing', log);
  const installed = findRedis();
  if (installed) return installed;
  throw new Error(
    'The test of a fleet needs Redis. Install it (Debian: apt-get install redis-server) or name the program in SIMPLESIM_REDIS.',
  );
}

if (process.argv[1] === import.meta.filename) console.log(ensureRedis((line) => console.log(line)));
