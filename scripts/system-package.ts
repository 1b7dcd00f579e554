import { spawnSync } from 'node:child_process';

/**
 * Installs a Debian package where this user may (root, with apt), else does nothing. Whether it is there afterwards is the caller's to
 * look at.
 * @param recommended whether what the package recommends comes along (fonts for a browser)
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
