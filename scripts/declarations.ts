/** The declarations of a room of `src/` as `tsc` writes them, and those of the files that they need. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';

export const ROOT_DIR = join(import.meta.dirname, '..');
/** Modules of the client library that other modules import: the first as the package itself, the second as a part of it. */
export const CLIENT_ENTRIES = ['index', 'experimental'] as const;
const TYPES_DIR = join(ROOT_DIR, '.cache/types');
/** Relative specifiers, which name the source files (`./x.ts`) in these declarations. */
const SPECIFIER = /(\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\2/g;

/**
 * Compiles a room and returns every declaration file that its entries reach.
 * @param entries names of modules in the room's folder, without their extension
 * @returns text by path, e.g. `client/index.d.ts`; specifiers end in `.js`, as in packages
 */
export function declarationsOf(room: 'client' | 'headless', entries: readonly string[]): Map<string, string> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-b', `src/${room}`], { cwd: ROOT_DIR, stdio: ['ignore', 'inherit', 'inherit'] });
  const found = new Map<string, string>();
  const wanted = entries.map((name) => `${room}/${name}.d.ts`);
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (found.has(path)) continue;
    const text = readFileSync(join(TYPES_DIR, path), 'utf8');
    for (const [, , , specifier = ''] of text.matchAll(SPECIFIER))
      wanted.push(`${normalize(join(dirname(path), specifier))}.d.ts`);
    found.set(path, text.replaceAll(SPECIFIER, '$1$2$3.js$2'));
  }
  return found;
}

/** Same as {@link declarationsOf}, for the client library. */
export const clientDeclarations = (): Map<string, string> => declarationsOf('client', CLIENT_ENTRIES);

/** For messages. */
export const fromRoot = (path: string): string => relative(ROOT_DIR, path);
