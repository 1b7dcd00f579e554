/** Finds PostgreSQL's programs for the tests, or installs the system's package (`npx tsx scripts/ensure-postgres.ts`). */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installSystemPackage } from './system-package.ts';

/** Folders under which systems keep one folder for each version. */
const VERSION_FOLDERS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];
const NEEDED = ['initdb', 'postgres'];

const holdsAll = (folder: string): boolean => NEEDED.every((program) => existsSync(join(folder, program)));

/**
 * Returns the folder with `initdb` and `postgres`: `SIMPLESIM_POSTGRES_BIN`, one of the PATH, or the newest of the system's
 * packages.
 * @returns null if there is none.
 */
export function findPostgres(): string | null {
  const named = process.env.SIMPLESIM_POSTGRES_BIN;
  if (named) return holdsAll(named) ? named : null;
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [...onPath, ...packagedFolders()].find((folder) => folder !== '' && holdsAll(folder)) ?? null;
}

/** Same as {@link findPostgres}, but installs the package if it is missing. @throws Error with what to install by hand. */
export function ensurePostgres(log: (line: string) => void): string {
  const found = findPostgres();
  if (found) return found;
  installSystemPackage('postgresql', 'PostgreSQL is missing', log);
  const installed = findPostgres();
  if (installed) return installed;
  throw new Error(
    'The tests of the control service need PostgreSQL. Install it (Debian: apt-get install postgresql) or name the folder of initdb and postgres in SIMPLESIM_POSTGRES_BIN.',
  );
}

function packagedFolders(): string[] {
  const versions = VERSION_FOLDERS.flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name, 'bin')) : [],
  );
  const versionOf = (folder: string) => Number(/(\d+)$/.exec(dirname(folder))?.[1] ?? 0);
  return versions.filter(holdsAll).sort((a, b) => versionOf(b) - versionOf(a));
}

if (process.argv[1] === import.meta.filename) console.log(ensurePostgres((line) => console.log(line)));
