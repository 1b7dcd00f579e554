/** Runs a command of `src/launch` as compiled JavaScript. First compiles changed files, in a process that exits. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMPILED_DIR, isStale } from './compiled.mjs';

const [name = ''] = process.argv.splice(2, 1);
if (isStale()) {
  const { status, signal, error } = spawnSync(process.execPath, [join(import.meta.dirname, 'compile.mjs')], {
    // Standard output belongs to the command, whose reader may be a program.
    stdio: ['ignore', 2, 'inherit'],
  });
  if (error) throw error;
  if (signal) {
    console.error(
      `The commands could not be compiled: the process that compiles them was ended (${signal}). If memory is short, free some; then start again.`,
    );
  }
  if (status !== 0) process.exit(status ?? 1);
}
await import(pathToFileURL(join(COMPILED_DIR, 'launch', `${name}.js`)).href);
