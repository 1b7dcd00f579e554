/**
 * Compiles the commands from `src/` into `compiled/` (`scripts/vite/commands.ts`). Runs in its own process, because the compiler
 * takes memory that a service must not keep. Plain JavaScript, because it runs before anything is compiled.
 */
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build } from 'vite';
import { COMPILED_DIR, ROOT_DIR, STAMP } from './compiled.mjs';

/** A newer file whose name contains a process id is still being written. */
const UNDER_WAY_MS = 60_000;
/** Data files that the programs read unchanged. */
const DATA_DIRS = ['control-service/migrations'];
/** Files of a library that the programs serve unchanged, by their place among the compiled files. */
const LIBRARY_FILES = {
  'control-service/swagger-ui': ['swagger-ui-dist', ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE']],
};

const fromSrc = (path) => join(ROOT_DIR, 'src', path);
// A time before anything is read, so that later changes are compiled next time.
const startedAt = new Date().toISOString();
const built = await build({ root: ROOT_DIR, configFile: join(ROOT_DIR, 'scripts/vite/commands.ts') });
const files = new Map(
  [built]
    .flat()
    .flatMap(({ output }) => output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)])),
);
for (const dir of DATA_DIRS) {
  for (const entry of readdirSync(fromSrc(dir), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(relative(fromSrc('.'), file), { copyOf: file });
  }
}
for (const [place, [library, names]] of Object.entries(LIBRARY_FILES)) {
  const folder = dirname(createRequire(import.meta.url).resolve(`${library}/package.json`));
  for (const name of names) files.set(`${place}/${name}`, { copyOf: join(folder, name) });
}
files.set(STAMP, startedAt);

// Until the new stamp exists, these files count as stale: a compiler that is killed halfway may have mixed older and newer files.
rmSync(join(COMPILED_DIR, STAMP), { force: true });
for (const [name, content] of files) {
  const file = join(COMPILED_DIR, name);
  // Each is swapped as a whole, because another command may be starting from them.
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string') writeFileSync(fresh, content);
    else copyFileSync(content.copyOf, fresh);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
    console.error(
      `The commands could not be compiled into ${COMPILED_DIR}: the disk is full. Free some space, then start again.`,
    );
    process.exit(1);
  }
}
for (const entry of readdirSync(COMPILED_DIR, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (!entry.isFile() || files.has(relative(COMPILED_DIR, file).replaceAll('\\', '/'))) continue;
  // Another command that compiles at the same time is about to swap its own files.
  const isUnderWay =
    /\.\d+$/.test(entry.name) && Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < UNDER_WAY_MS;
  if (!isUnderWay) rmSync(file, { force: true });
}
