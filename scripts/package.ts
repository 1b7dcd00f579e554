/**
 * `npm run package`: builds the packages of a release in `.cache/packages`: `simplesim` and `platform-robot-sdk` for npm, wheel
 * and source archive of `platform-robot-sdk` for PyPI, and in `agents` the plugin and the bundle for agent clients. With names
 * (`npm run package -- agents`) only these, of the npm packages and `agents`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from './client/build-package.ts';
import { fromRoot, ROOT_DIR } from './declarations.ts';
import { NEWEST_LIVEKIT, PYTHON_LIBRARY_DIR, pythonWith } from './ensure-python.ts';
import { buildAgentPlugin } from './package/build-agent-plugin.ts';
import { buildSimplesim, ensureBuilt } from './package/build-simplesim.ts';

const OUT_DIR = join(ROOT_DIR, '.cache/packages');

const BUILDERS: Readonly<Record<string, (folder: string) => unknown>> = {
  simplesim: async (folder) => {
    await ensureBuilt((line) => console.log(line));
    buildSimplesim(folder);
  },
  'platform-robot-sdk': buildPackage,
};

/** The plugin and the bundle for agent clients: a folder, not a package of npm. */
const AGENTS = 'agents';

const names = process.argv.slice(2);
const known = [...Object.keys(BUILDERS), AGENTS];
const wanted = names.length > 0 ? names : known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown package ${unknown.join(', ')}. The names are ${known.join(', ')}.`);
  process.exit(2);
}

if (names.length === 0) rmSync(OUT_DIR, { recursive: true, force: true });
mkdirSync(OUT_DIR, { recursive: true });
for (const name of wanted.filter((one) => one !== AGENTS)) {
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
if (wanted.includes(AGENTS)) {
  await ensureBuilt((line) => console.log(line));
  const { pluginDir, bundle } = buildAgentPlugin(join(OUT_DIR, AGENTS));
  console.log(`${fromRoot(pluginDir)}: a plugin for agent clients`);
  console.log(`${fromRoot(bundle)}: ${(statSync(bundle).size / 1e6).toFixed(2)} MB`);
}
if (names.length === 0) {
  const python = pythonWith(NEWEST_LIVEKIT, (line) => console.log(line));
  const hatchling = ['-m', 'hatchling', 'build', '--target', 'wheel', '--target', 'sdist', '--directory', OUT_DIR];
  execFileSync(python, hatchling, { cwd: PYTHON_LIBRARY_DIR, stdio: ['ignore', 'ignore', 'inherit'] });
}
for (const { name } of readdirSync(OUT_DIR, { withFileTypes: true }).filter((entry) => entry.isFile())) {
  const path = join(OUT_DIR, name);
  console.log(`${fromRoot(path)}: ${(statSync(path).size / 1e6).toFixed(2)} MB`);
}
