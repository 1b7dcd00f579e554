/**
 * Finds Python, or installs the system's package, and creates the environments of the Python library
 * (`npx tsx scripts/ensure-python.ts`).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { installSystemPackage } from './system-package.ts';

export const PYTHON_LIBRARY_DIR = join(import.meta.dirname, '../clients/python');
/** The oldest and the newest version of LiveKit's Python SDK with which the library is tested. */
export const LIVEKIT_VERSIONS = z
  .tuple([z.string()], z.string())
  .parse(JSON.parse(readFileSync(join(PYTHON_LIBRARY_DIR, 'requirements/livekit.json'), 'utf8')));
/** Its environment also contains the tools that check and build the library. */
export const NEWEST_LIVEKIT = LIVEKIT_VERSIONS.at(-1) ?? LIVEKIT_VERSIONS[0];

const MAKER = join(import.meta.dirname, 'python_environment.py');
const IS_FIT = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
const INSTALL_WITHIN_MS = 600_000;

/**
 * Returns a Python of 3.11 or newer that can create virtual environments: `SIMPLESIM_PYTHON`, or one of the PATH.
 * @returns null if there is none.
 */
export function findPython(): string | null {
  const named = process.env.SIMPLESIM_PYTHON;
  const candidates = named ? [named] : ['python3', 'python3.13', 'python3.12', 'python3.11'];
  return candidates.find((program) => spawnSync(program, ['-c', IS_FIT], { stdio: 'ignore' }).status === 0) ?? null;
}

/** Same as {@link findPython}, but installs the package if it is missing. @throws Error with what to install by hand. */
export function ensurePython(log: (line: string) => void): string {
  const found = findPython();
  if (found) return found;
  if (!process.env.SIMPLESIM_PYTHON) {
    installSystemPackage('python3-venv', 'Python 3.11 with venv is missing', log);
    const installed = findPython();
    if (installed) return installed;
  }
  throw new Error(
    'The Python library and its tests need Python 3.11 or newer with venv. Install it (Debian: apt-get install python3-venv) or name the program in SIMPLESIM_PYTHON.',
  );
}

/**
 * Returns the path of Python in the environment with this version of LiveKit's SDK. The environment is created on first use,
 * which needs the package index.
 * @throws Error if it cannot be created; the output of pip is on stderr.
 */
export function pythonWith(livekitVersion: string, log: (line: string) => void): string {
  const made = spawnSync(ensurePython(log), [MAKER, livekitVersion], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: INSTALL_WITHIN_MS,
  });
  if (made.status === 0) return made.stdout.trim();
  throw new Error(`The Python environment with livekit ${livekitVersion} cannot be created. See the output of pip above.`);
}

if (process.argv[1] === import.meta.filename) {
  for (const version of LIVEKIT_VERSIONS) console.log(pythonWith(version, (line) => console.log(line)));
}
