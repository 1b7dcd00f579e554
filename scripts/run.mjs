/** Runs a command of `src/launch` as compiled JavaScript; compiles first what has changed, in a process that ends. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMPILED_DIR, isStale } from './compiled.mjs';

const [name = ''] = process.argv.splice(2, 1);
if (isStale()) {
  const { status, error } = spawnSync(process.execPath, [join(import.meta.dirname, 'compile.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
await import(pathToFileURL(join(COMPILED_DIR, 'launch', `${name}.js`)).href);
