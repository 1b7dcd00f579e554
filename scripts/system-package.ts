import { spawnSync } from 'node:child_process';

/**
 * Installs a Debian package if this user may (root, with apt), otherwise does nothing. The caller must check whether it exists
 * afterwards.
 * @param recommended whether to install recommended packages as well (fonts for a browser)
 */
export function installSystemPackage(name: string, why: string, log: (line: string) => void, recommended = false): void {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return;
  log(`${why}; installing the system package ${name}.`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 300_000 });
  spawnSync('apt-get', ['install', '-y', '-qq', ...(recommended ? [] : ['--no-install-recommends']), name], {
    stdio: 'ignore',
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
