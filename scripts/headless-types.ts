/** The second half of `npm run compile`: the declarations of the package `simplesim`, for users' programs. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { declarationsOf, ROOT_DIR } from './declarations.ts';

/** Next to `compiled/`, which contains only the compiler's files. */
const TYPES_DIR = join(ROOT_DIR, 'compiled-types');

const declarations = new Map(declarationsOf('headless', ['index']));
for (const [path, text] of declarations) {
  const file = join(TYPES_DIR, path);
  mkdirSync(dirname(file), { recursive: true });
  // Each is swapped as a whole, because two packages may be built at once.
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, file);
}
for (const entry of readdirSync(TYPES_DIR, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  const path = relative(TYPES_DIR, file).replaceAll(sep, '/');
  const isOfAnother = /\.\d+$/.test(path);
  if (entry.isFile() && !declarations.has(path) && !isOfAnother && existsSync(file)) rmSync(file, { force: true });
}
