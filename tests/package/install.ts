/** The package `simplesim` as an outside user has it: built, packed, and installed with npm in a separate folder. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSimplesim, ensureBuilt } from '../../scripts/package/build-simplesim.ts';

export const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

export interface Installation {
  /** The user's folder, with `node_modules`. */
  folder: string;
  /** The command `simplesim`, as npm has linked it. */
  program: string;
  /** The package in `node_modules`. */
  packageDir: string;
  packedBytes: number;
  installedBytes: number;
  remove(): void;
}

interface LockEntry {
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

/**
 * Installs with the versions and hashes of the clone's own lock file. npm then takes the dependencies from its cache,
 * which the clone's `npm ci` has filled, and does not ask the registry for versions.
 */
export async function installPackage(): Promise<Installation> {
  await ensureBuilt(() => {});
  const folder = mkdtempSync(join(tmpdir(), 'simplesim-installed-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const built = join(folder, 'built');
    buildSimplesim(built);
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built });
    const tarball = stdout.trim();
    const { dependencies, bin } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as Record<string, unknown>;
    rmSync(built, { recursive: true });
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockEntry> };
    const needed = Object.entries(lock.packages).filter(
      ([path, entry]) => path.startsWith('node_modules/') && !entry.dev && !entry.devOptional && !entry.link,
    );
    const user = { name: 'user', version: '1.0.0', type: 'module', dependencies: { simplesim: `file:${tarball}` } };
    const packages = {
      '': user,
      'node_modules/simplesim': { version: '0.0.0', resolved: `file:${tarball}`, dependencies, bin },
      ...Object.fromEntries(needed),
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(user));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...user, lockfileVersion: 3, packages }));
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
    const installedBytes = bytesIn(join(folder, 'node_modules'));
    // The types that a compiler needs for Node's own names; a user installs them.
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    return {
      folder,
      program: join(folder, 'node_modules/.bin/simplesim'),
      packageDir: join(folder, 'node_modules/simplesim'),
      packedBytes: statSync(join(folder, tarball)).size,
      installedBytes,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Paths of the files in a folder, relative to it. */
export const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1));

const bytesIn = (dir: string): number => filesIn(dir).reduce((sum, file) => sum + statSync(join(dir, file)).size, 0);
