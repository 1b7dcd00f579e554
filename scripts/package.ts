/**
 * `npm run package`: builds the packages of a release in `.cache/packages`: `simplesim` and `platform-robot-sdk` for npm, wheel
 * and source archive of `platform-robot-sdk` for PyPI. With names (`npm run package -- platform-robot-sdk`) only those of the npm
 * packages.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from './client/build-package.ts';
import { fromRoot, ROOT_DIR } from './declarations.ts';
import { NEWEST_LIVEKIT, PYTHON_LIBRARY_DIR, pythonWith } from './ensure-python.ts';
import { buildSimplesim, ensureBuilt } from './package/build-simplesim.ts';

const OUT_DIR = join(ROOT_DIR, '.cache/packages');

const BUILDERS: Readonly<Record<string, (folder: string) => unknown>> = {
  simplesim: async (folder) => {
    await ensureBuilt((line) => console.log(line));
    buildSimplesim(folder);
  },
  'platform-robot-sdk': buildPackage,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(BUILDERS, name));
if (unknown.length > 0) {
  console.error(`Unknown package ${unknown.join(', ')}. The npm packages are ${Object.keys(BUILDERS).join(' and ')}.`);
  process.exit(2);
}

if (names.length === 0) rmSync(OUT_DIR, { recursive: true, force: true });
mkdirSync(OUT_DIR, { recursive: true });
for (const name of names.length > 0 ? names : Object.keys(BUILDERS)) {
  const folder = mkdtempSync(join(OUT_DIR, `${name}-`));
  try {
    await BUILDERS[name]?.(folder);
    execFileSync('npm', ['pack', '--silent', '--pack-destination', OUT_DIR], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (names.length === 0) {
  const python = pythonWith(NEWEST_LIVEKIT, (line) => console.log(line));
  const hatchling = ['-m', 'hatchling', 'build', '--target', 'wheel', '--target', 'sdist', '--directory', OUT_DIR];
  execFileSync(python, hatchling, { cwd: PYTHON_LIBRARY_DIR, stdio: ['ignore', 'ignore', 'inherit'] });
}
for (const file of readdirSync(OUT_DIR)) {
  const path = join(OUT_DIR, file);
  console.log(`${fromRoot(path)}: ${(statSync(path).size / 1e6).toFixed(2)} MB`);
}
