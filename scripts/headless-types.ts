/** The second half of `npm run compile`: the declarations of the package `simplesim`, for users' programs. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declarationsOf, ROOT_DIR } from './declarations.ts';

/** Next to `compiled/`, which contains only the compiler's files. */
const TYPES_DIR = join(ROOT_DIR, 'compiled-types');

const declarations = declarationsOf('headless', ['index']);
rmSync(TYPES_DIR, { recursive: true, force: true });
for (const [path, text] of declarations) {
  const file = join(TYPES_DIR, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
